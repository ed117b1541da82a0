import { keepQueueMoving } from '../device/queue-upkeep.ts'
import { tellOfClearedStorage } from '../device/storage-cleared.ts'
import { findClearedStorage } from '../device/storage-sentinel.ts'
import { outboxDatabase } from '../outbox/store/opened-outbox.ts'
import { followAccount, nameSender } from '../session/follow-account.ts'
import { followTakenNumbers } from '../session/new-event-numbers.ts'
import { followServerEpoch } from '../session/offer-receipts.ts'
import { followSession, startSession } from '../session/session-store.ts'

/**
 * Everything that goes on behind the screens; loaded beside the first paint, which does not wait for it.
 * @param isStranger nothing was kept here, and the server has just said that it knows no session: nobody need be asked again
 */
export function start({ isStranger = false } = {}): void {
  nameSender()
  followSession()
  followAccount()
  followTakenNumbers()
  const sessionOutlived = isStranger ? Promise.resolve(false) : startSession()
  findClearedStorage(outboxDatabase, sessionOutlived)
    .then(tellOfClearedStorage)
    .catch(() => undefined)
  keepQueueMoving()
  followServerEpoch()
}
