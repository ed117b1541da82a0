/**
 * Where a view of an event's page, and an application, came from. `qr` and `share` are named by links that the app hands
 * out, `search` and `site` are other web sites, `direct` is everything else.
 */
export const viewSources = ['qr', 'share', 'search', 'site', 'direct'] as const
export type ViewSource = (typeof viewSources)[number]
