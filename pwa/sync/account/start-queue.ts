import { isDeviceFull, readText, writeText } from '../../browser/browser-storage.ts'
import { startedBefore } from '../../browser/kept-here.ts'
import { singleFlight } from '../../browser/single-flight.ts'
import { isQuotaError } from '../../browser/storage-errors.ts'
import { requestBackgroundSync } from '../drain/background-sync.ts'
import { offerReceiptsAgain, usualKeepHours } from '../drain/offer-again.ts'
import { isTooOld, noteAnswered, noteUnanswered, serverEpoch } from '../http/reachability.ts'
import { serverNow } from '../http/server-time.ts'
import { countEntries, isFirstStart } from '../queue/store/device-rows.ts'
import { onReplayNews, outboxDatabase, outboxStore, replayer } from '../queue/store/opened-outbox.ts'
import { takeInLeftChanges } from '../replica/left-changes.ts'
import { enqueueShown } from '../replica/pending-writes.ts'

interface Start {
  /** The server does not take a change before the person signs in again. */
  readonly onSignInNeeded: () => void
  /** Tells whether the server knew a session of which this device knew nothing. */
  readonly sessionOutlived: Promise<boolean>
}

/**
 * Sends what waits whenever that may work, takes in what earlier pages left, and offers visitors' changes again after a
 * restore. The start calls it once.
 * @returns whether the browser has cleared this device's storage
 */
export async function startQueue({ onSignInNeeded, sessionOutlived }: Start): Promise<boolean> {
  hearNews(onSignInNeeded)
  const isRemembered = readText(startedBefore) !== null
  writeText(startedBefore, '1')
  const first = isFirstStart(outboxDatabase)
  void takeInLeftChanges(enqueueShown).catch(() => undefined)
  keepQueueMoving()
  followServerEpoch()
  return (await first) && (isRemembered || (await sessionOutlived))
}

function hearNews(onSignInNeeded: () => void): void {
  onReplayNews((news) => {
    const { type } = news
    // A drainer writes before it sends: there is room.
    if (type === 'reachable') isDeviceFull.set(false)
    if (type === 'storage-failed' && isQuotaError(news.error)) isDeviceFull.set(true)
    if (type === 'reachable') noteAnswered('queue')
    if (type === 'unreachable') noteUnanswered('queue')
    if (type === 'update-needed') isTooOld.set(true)
    if (type === 'sign-in-needed') onSignInNeeded()
  })
}

function keepQueueMoving(): void {
  const wake = (reason: Parameters<typeof replayer.wake>[0]) => void replayer.wake(reason).catch(() => undefined)
  wake('page-start')
  addEventListener('online', () => wake('online'))
  addEventListener('pageshow', ({ persisted }) => persisted && wake('visible'))
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && wake('visible'))
  // A frozen page would keep the lead, and the worker that Background Sync wakes would wait for it.
  document.addEventListener('freeze', replayer.giveWay)
  document.addEventListener('resume', () => wake('visible'))
  let before = 0
  // What is written during a count is counted by the next write.
  const count = singleFlight(async () => {
    const entries = await countEntries(outboxDatabase).catch(() => before)
    if (entries > before) void protectQueue()
    before = entries
  })
  outboxDatabase.onWritten(() => void count())
  void count()
}

async function protectQueue(): Promise<void> {
  // Only a request: browsers decide by their own rules, and some ask the user.
  await navigator.storage?.persist?.().catch(() => false)
  await requestBackgroundSync(await navigator.serviceWorker?.getRegistration())
}

/** Offers a visitor's receipts again when an answer names another epoch. A test needs it, too. */
export function followServerEpoch(): void {
  const offer = () => {
    const epoch = serverEpoch.get()
    if (epoch !== null) void offerToEpoch(epoch).catch(() => undefined)
  }
  serverEpoch.subscribe(offer)
  offer()
}

async function offerToEpoch(epoch: string): Promise<void> {
  const offered = await offerReceiptsAgain(outboxStore, epoch, usualKeepHours, serverNow().getTime())
  if (offered > 0) await replayer.wake('stream-opened')
}
