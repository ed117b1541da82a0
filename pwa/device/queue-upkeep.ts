import {
  heardEpoch,
  serverEpoch,
  singleFlight,
  serverNow,
  requestBackgroundSync,
  retryVisitorEntriesAfterRestore,
  offerReceiptsAgain,
  usualKeepHours,
  countEntries,
  outboxDatabase,
  replayer,
  outboxStore,
} from '../sync/index.ts'

export function keepQueueMoving(): void {
  const wake = (reason: Parameters<typeof replayer.wake>[0]) => void replayer.wake(reason).catch(() => undefined)
  wake('page-start')
  addEventListener('online', () => wake('online'))
  addEventListener('pageshow', ({ persisted }) => persisted && wake('visible'))
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && wake('visible'))
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

/**
 * Offers a visitor's receipts again when an answer names another epoch; queued changes wait for what others bring back.
 * Called once at start.
 */
export function followServerEpoch(): void {
  const offer = () => {
    const epoch = serverEpoch.get()
    if (epoch !== null) void offerToEpoch(epoch).catch(() => undefined)
  }
  serverEpoch.subscribe(offer)
  offer()
}

async function offerToEpoch(epoch: string): Promise<void> {
  const before = heardEpoch.read()
  const tried = before === null || before === epoch ? 0 : await retryVisitorEntriesAfterRestore(outboxStore, Date.now())
  const offered = await offerReceiptsAgain(outboxStore, epoch, usualKeepHours, serverNow().getTime(), Date.now())
  heardEpoch.write(epoch)
  if (tried + offered > 0) await replayer.wake('stream-opened')
}
