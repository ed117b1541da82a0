import type { Entry, NewEntry } from './entry.ts'

export const outboxDatabaseName = 'beaconry-outbox'

/**
 * The queue's database, described once for Dexie (the page) and for plain IndexedDB (the service worker), in Dexie's notation:
 * the key first, `++` counts by itself, `&` is unique, `[a+b]` is an index over two. IndexedDB counts a version of Dexie's as ten.
 */
export const outboxVersion = 1
export const outboxTables = {
  entries: '++seq, &key, owner, lane, [owner+state]',
  receipts: 'key',
  meta: 'name',
} as const

/** IndexedDB cannot index null: the visitor's changes belong to owner 0. */
export type Row = Omit<Entry, 'seq'> & { seq?: number; owner: number }

/** One named value beside the queue: `lease`, `account`, `device`, `sentinel`. */
export interface MetaRow {
  readonly name: string
  readonly value: unknown
}

export const ownerOf = (userId: number | null) => userId ?? 0

export function toEntry({ owner: _owner, ...row }: Row): Entry {
  return row as Entry
}

export function toRow(entry: Entry | NewEntry): Row {
  return { ...entry, owner: ownerOf(entry.userId) }
}

/** iOS takes the connection away from an app that was in the background; the next use fails, opening again helps. */
export function isDeadConnection(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { name, message } = error as { name?: unknown; message?: unknown }
  return (
    name === 'DatabaseClosedError' ||
    name === 'InvalidStateError' ||
    (name === 'UnknownError' && typeof message === 'string' && /connection|closing|lost/i.test(message))
  )
}
