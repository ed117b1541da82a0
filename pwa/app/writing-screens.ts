export { CustomizeScreen } from '../events/customize-screen.tsx'
export { EditEventScreen } from '../events/edit-event-screen.tsx'
