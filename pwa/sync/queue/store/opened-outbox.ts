import { openBrowserOutbox } from './browser-outbox.ts'
import { announceKeptData } from './keeping.ts'
import { openOutboxDatabase } from './outbox-db.ts'
import { storageReady } from './storage-gate.ts'
import type { OutboxStore } from './outbox-store.ts'
import type { ReplayNews } from '../../drain/wake.ts'

const listeners = new Set<(news: ReplayNews) => void>()

export const outboxDatabase = openOutboxDatabase()

const store: OutboxStore = {
  ...outboxDatabase.store,
  change: async (lanes, decide) => {
    await storageReady()
    return await outboxDatabase.store.change(lanes, decide)
  },
}

export const {
  outbox,
  replayer,
  store: outboxStore,
  device: thisDevice,
} = openBrowserOutbox({ store, device: outboxDatabase.device }, (news) =>
  listeners.forEach((listener) => listener(news)),
)

export function onReplayNews(listener: (news: ReplayNews) => void): void {
  listeners.add(listener)
}

announceKeptData()
