import { openBrowserOutbox } from './browser-outbox.ts'
import { announceKeptData } from '../../../browser/keeping.ts'
import { openOutboxDatabase } from './outbox-db.ts'
import type { ReplayNews } from '../../drain/wake.ts'

const page = globalThis as { readonly document?: { readonly visibilityState: string } }
const listeners = new Set<(news: ReplayNews) => void>()

export const outboxDatabase = openOutboxDatabase()

export const {
  outbox,
  replayer,
  leader,
  store: outboxStore,
  device: keptDevice,
} = openBrowserOutbox(outboxDatabase, {
  isVisible: () => page.document?.visibilityState === 'visible',
  onNews: (news) => listeners.forEach((listener) => listener(news)),
})

export function onReplayNews(listener: (news: ReplayNews) => void): void {
  listeners.add(listener)
}

announceKeptData()
