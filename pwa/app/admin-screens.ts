export { AdminAccountScreen } from '../admin/admin-account-screen.tsx'
export { AdminScreen } from '../admin/admin-screen.tsx'
