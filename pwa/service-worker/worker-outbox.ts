import { openBrowserOutbox } from '../sync/queue/store/browser-outbox.ts'
import { openOutboxDatabase } from '../sync/queue/store/outbox-db.ts'

export const {
  outbox,
  replayer,
  store: outboxStore,
} = openBrowserOutbox(openOutboxDatabase(undefined, { keepsOpen: false }))
