import { outboxTag } from '../outbox/drain/background-sync-tag.ts'
import { replayer } from './worker-outbox.ts'

/** Background Sync, which TypeScript's library does not know. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string
  readonly lastChance: boolean
}

/** Sends the queue when the browser says that there is a network, also with no page open, and when a new worker starts. */
export function followBackgroundSync(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener('sync' as 'activate', (event) => {
    const { tag } = event as SyncEvent
    if (tag === outboxTag) event.waitUntil(drain())
  })
  worker.addEventListener('activate', (event) => event.waitUntil(replayer.wake('activate').catch(() => undefined)))
}

/** Longer than a decision's undo window; a worker is not kept alive much longer than that. */
const patienceMs = 20_000

/** Sends what is due, and what becomes due soon. Rejects while something could not be sent, so that the browser asks again. */
async function drain(): Promise<void> {
  const until = Date.now() + patienceMs
  for (;;) {
    const { end, waitingMs } = await replayer.wake('sync')
    // Without a queue there is no lease to hold either.
    if ((end === 'drained' || end === 'lost-lock') && waitingMs === undefined) return
    if (end !== 'drained' || waitingMs === undefined || Date.now() + waitingMs > until)
      throw new Error('The queue is not empty yet')
    await new Promise((resolve) => setTimeout(resolve, waitingMs))
  }
}
