import { keepQueueMoving, followServerEpoch } from '../device/queue-upkeep.ts'
import { tellOfClearedStorage } from '../device/storage-cleared.ts'
import { findClearedStorage } from '../device/storage-sentinel.ts'
import { outboxDatabase } from '../sync/index.ts'
import { followAccount, nameSender } from '../device/session/follow-account.ts'
import { followSession, startSession } from '../device/session/session-store.ts'

/** @param hasNoSession the server has just said so; it is not asked again */
export function startBackgroundWork({ hasNoSession = false } = {}): void {
  nameSender()
  followSession()
  followAccount()
  const sessionOutlived = hasNoSession ? Promise.resolve(false) : startSession()
  findClearedStorage(outboxDatabase, sessionOutlived)
    .then(tellOfClearedStorage)
    .catch(() => undefined)
  keepQueueMoving()
  followServerEpoch()
}
