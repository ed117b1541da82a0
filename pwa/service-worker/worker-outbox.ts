import { openBrowserOutbox } from '../sync/queue/store/browser-outbox.ts'
import { openOutboxDatabase } from '../sync/queue/store/outbox-db.ts'

/** The database as the pages have made it. */
export const {
  outbox,
  replayer,
  store: outboxStore,
} = openBrowserOutbox(openOutboxDatabase(undefined, { upgrades: false }))
