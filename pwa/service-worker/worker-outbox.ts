import { openBrowserOutbox } from '../sync/queue/store/browser-outbox.ts'
import { openOutboxDatabase } from '../sync/queue/store/outbox-db.ts'

/** The one outbox of this worker: the pages' queue, in the shape they gave it. */
export const {
  outbox,
  replayer,
  store: outboxStore,
} = openBrowserOutbox(openOutboxDatabase(undefined, { upgrades: false }))
