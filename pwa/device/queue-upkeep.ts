import { outboxTag } from '../outbox/drain/background-sync-tag.ts'
import { countEntries } from '../outbox/store/device-rows.ts'
import { outboxDatabase, replayer } from '../outbox/store/opened-outbox.ts'

/** Background Sync, which TypeScript's library does not know. */
type WithSync = ServiceWorkerRegistration & { readonly sync?: { register(tag: string): Promise<void> } }

/**
 * Sees to it that the queue empties by itself: wakes the replayer on everything that gives reason to believe in a network,
 * asks the browser to wake the worker when this page is gone, and for storage that is not thrown away. Done once at start.
 */
export function keepQueueMoving(): void {
  const wake = (reason: Parameters<typeof replayer.wake>[0]) => void replayer.wake(reason).catch(() => undefined)
  wake('page-start')
  addEventListener('online', () => wake('online'))
  addEventListener('pageshow', ({ persisted }) => persisted && wake('visible'))
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && wake('visible'))
  let before = 0
  let reading: Promise<void> | undefined
  const look = () => {
    // What is written while the queue is counted is counted by the next write, or was.
    reading ??= countEntries(outboxDatabase)
      .then((count) => {
        if (count > before) void askForHelp()
        before = count
      })
      .catch(() => undefined)
      .finally(() => (reading = undefined))
  }
  outboxDatabase.onWritten(look)
  look()
}

async function askForHelp(): Promise<void> {
  // A wish: browsers decide by their own rules, and some ask the person.
  await navigator.storage?.persist?.().catch(() => false)
  const registration = (await navigator.serviceWorker?.getRegistration()) as WithSync | undefined
  await registration?.sync?.register(outboxTag).catch(() => undefined)
}
