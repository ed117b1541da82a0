/**
 * Where a view of an event's page, or an application, came from. `qr` and `share` are named by links of the app,
 * `search` and `site` are other web sites, `direct` is all else.
 */
export const viewSources = ['qr', 'share', 'search', 'site', 'direct'] as const
export type ViewSource = (typeof viewSources)[number]
