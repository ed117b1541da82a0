import { hasDatabase } from '../../browser/browser-storage.ts'
import type { Entry, Receipt } from '../queue/entry.ts'
import { fetchQueue, outbox, outboxStore } from '../queue/outbox.ts'
import { outboxDatabaseName } from '../queue/store/outbox-store.ts'

export interface VisitorQueue {
  readonly entries: readonly Entry[]
  /** Each is what the server answered to a visitor's change that has left the queue. */
  readonly receipts: readonly Receipt[]
}

/** Reads the entries first, because one that leaves the queue in between is among the receipts. */
export async function readVisitorQueue(): Promise<VisitorQueue> {
  if (!(await hasDatabase((name) => name === outboxDatabaseName))) return { entries: [], receipts: [] }
  const entries = await outboxStore.entriesOf(null)
  return { entries, receipts: await outboxStore.receipts() }
}

/** @param isDiscarded whether an unsent change is never sent; the others leave first, and their answers are not kept */
export async function forgetVisitorChanges(
  isMeant: (change: Pick<Entry | Receipt, 'key' | 'mutation' | 'args'> & Partial<Pick<Receipt, 'answer'>>) => boolean,
  isDiscarded: (entry: Entry) => boolean,
): Promise<void> {
  // First: then no answer to a change that has left is kept either.
  await outboxStore.change('all', ({ entries }) => ({
    put: entries.filter(isMeant).map((entry) => ({ ...entry, forget: true as const })),
    result: undefined,
  }))
  for (const entry of await outbox.pendingFor(null))
    if (isMeant(entry) && isDiscarded(entry)) await outbox.discard(entry.seq)
  const [{ outboxDatabase }, { removeReceipts }] = await Promise.all([
    fetchQueue(),
    import('../queue/store/device-rows.ts'),
  ])
  await removeReceipts(outboxDatabase, isMeant)
}
