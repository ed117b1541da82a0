import { openBrowserOutbox } from './browser-outbox.ts'
import { guessDeviceName } from '../device-name.ts'
import { sayKeeping } from './keeping.ts'
import { dexieStorage, openOutboxDatabase } from './outbox-db.ts'
import type { ReplayNews } from '../drain/replay.ts'

const listeners = new Set<(news: ReplayNews) => void>()

/** The database the queue is in, with the device's identity and whatever else must never be lost. */
export const outboxDatabase = openOutboxDatabase()

const opened = openBrowserOutbox(dexieStorage(outboxDatabase), {
  deviceName: guessDeviceName(navigator.userAgent),
  onNews: (news) => listeners.forEach((listener) => listener(news)),
})

/** The one outbox of this page: its queue, what drains it, and the device's identity, which lives beside the queue. */
export const { outbox, replayer, store: outboxStore, device: thisDevice } = opened

/** Calls back with what the replayer learned about the network and the session. */
export function onReplayNews(listener: (news: ReplayNews) => void): void {
  listeners.add(listener)
}

sayKeeping()
