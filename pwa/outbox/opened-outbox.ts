import { openBrowserOutbox } from './browser-outbox.ts'
import { guessDeviceName } from './device-name.ts'
import type { ReplayNews } from './replay.ts'

const listeners = new Set<(news: ReplayNews) => void>()

const opened = openBrowserOutbox({
  deviceName: guessDeviceName(navigator.userAgent),
  onNews: (news) => listeners.forEach((listener) => listener(news)),
})

/** The one outbox of this page or worker: its queue, what drains it, and the device's identity, which lives beside the queue. */
export const { outbox, replayer, store: outboxStore, database: outboxDatabase, device: thisDevice } = opened

/** Calls back with what the replayer learned about the network and the session. */
export function onReplayNews(listener: (news: ReplayNews) => void): void {
  listeners.add(listener)
}
