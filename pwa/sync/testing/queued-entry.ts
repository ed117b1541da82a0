import type { NewEntry } from '../queue/entry.ts'
import type { OutboxStore } from '../queue/store/outbox-store.ts'

/** A decision of Olivia's on its way into the queue. */
export function queuedEntry(key: string, changes: Partial<NewEntry> = {}): NewEntry {
  return {
    key,
    userId: 1,
    lane: 'application:7',
    mutation: 'decide-application',
    args: {
      applicationId: 7,
      eventId: 1,
      name: 'Bea Brook',
      status: 'approved',
      from: 'pending',
      basis: null,
    },
    argsVersion: 1,
    createdAt: '2026-11-20T10:00:00.000Z',
    state: 'queued',
    attempts: 0,
    nextAt: 0,
    ...changes,
  }
}

/** Puts entries on the disk, in this order. */
export const add = (store: OutboxStore, entries: readonly NewEntry[]) =>
  store.change([], () => ({ add: entries, result: undefined }))
