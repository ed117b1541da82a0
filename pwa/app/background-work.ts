import type { User } from '#shared/accounts/account-calls.ts'
import { noteStorageCleared } from '../device/storage-cleared.ts'
import { describeSender, startQueue } from '../sync/index.ts'
import { followAccount, senderOf } from '../device/session/follow-account.ts'
import { followSession, onSignInNeeded, startSession } from '../device/session/session-store.ts'

export { senderOf } from '../device/session/follow-account.ts'

/** @param answered whom the server has just named, or null; it is not asked again */
export function startBackgroundWork(answered?: User | null): void {
  describeSender(senderOf)
  followSession()
  followAccount()
  const sessionOutlived = answered === null ? Promise.resolve(false) : startSession(answered)
  startQueue({ onSignInNeeded, sessionOutlived })
    .then((isCleared) => isCleared && noteStorageCleared(true))
    .catch(() => undefined)
}
