import { openBrowserOutbox } from './browser-outbox.ts'
import { announceKeptData } from './keeping.ts'
import { openOutboxDatabase } from './outbox-db.ts'
import { storageReady } from './storage-gate.ts'
import type { OutboxStore } from './outbox-store.ts'
import type { ReplayNews } from '../../drain/wake.ts'

const listeners = new Set<(news: ReplayNews) => void>()

/** The database the queue is in, with the device's identity and whatever else must never be lost. */
export const outboxDatabase = openOutboxDatabase()

/** Nothing is kept while the browser may be emptying the storage of this address. */
const store: OutboxStore = {
  ...outboxDatabase.store,
  change: async (lanes, decide) => {
    await storageReady()
    return await outboxDatabase.store.change(lanes, decide)
  },
}

/** The one outbox of this page: its queue, what drains it, and the device's identity, which lives beside the queue. */
export const {
  outbox,
  replayer,
  store: outboxStore,
  device: thisDevice,
} = openBrowserOutbox({ store, device: outboxDatabase.device }, (news) =>
  listeners.forEach((listener) => listener(news)),
)

/** Calls back with what the replayer learned about the network and the session. */
export function onReplayNews(listener: (news: ReplayNews) => void): void {
  listeners.add(listener)
}

announceKeptData()
