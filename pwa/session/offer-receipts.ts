import { serverEpoch } from '../api/server-epoch.ts'
import { serverNow } from '../api/server-time.ts'
import { offerReceiptsAgain, usualKeepHours } from '../outbox/drain/offer-again.ts'
import { outboxStore, replayer } from '../outbox/store/opened-outbox.ts'

/**
 * A volunteer's applications come back by themselves to a server whose database went back: whenever an answer names another
 * epoch than the one they were taken in, they are offered again. Done once at start.
 */
export function followServerEpoch(): void {
  const look = () => {
    const epoch = serverEpoch.get()
    if (epoch === null) return
    void offerReceiptsAgain(outboxStore, epoch, usualKeepHours, serverNow().getTime())
      .then((offered) => (offered > 0 ? replayer.wake('stream-opened') : undefined))
      .catch(() => undefined)
  }
  serverEpoch.subscribe(look)
  look()
}
