import { keepQueueMoving } from './device/queue-upkeep.ts'
import { followAccount, nameSender } from './session/follow-account.ts'
import { followSession, startSession } from './session/session-store.ts'

/** Everything that goes on behind the screens; loaded beside the first paint, which does not wait for it. */
export function start(): void {
  nameSender()
  followSession()
  followAccount()
  void startSession()
  keepQueueMoving()
}
