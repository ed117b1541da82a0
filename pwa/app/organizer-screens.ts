export { AnalyticsScreen } from '../events/analytics-screen.tsx'
export { BeaconListScreen } from '../events/beacon-list-screen.tsx'
export { InboxScreen } from '../events/inbox-screen.tsx'
export { ManageEventScreen } from '../events/manage-event-screen.tsx'
