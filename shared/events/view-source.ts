/**
 * A view of an event's page, or an application, came from one of these. Links of the app name `qr` and `share`,
 * `search` and `site` are other web sites, and `direct` is all else.
 */
export const viewSources = ['qr', 'share', 'search', 'site', 'direct'] as const
export type ViewSource = (typeof viewSources)[number]
