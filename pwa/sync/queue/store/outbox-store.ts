import { type Entry, entryStates, type NewEntry, type Receipt, type Settled } from '../entry.ts'
import { isDamaged } from '../mutations/mutations.ts'

/** `account` is the one signed in on this device: null = none, undefined = never said. */
export interface Seen {
  /** Entries are sorted by seq, ascending. */
  readonly entries: readonly Entry[]
  readonly account: number | null | undefined
}

export interface Change<T> {
  readonly put?: readonly Entry[]
  readonly add?: readonly NewEntry[]
  readonly remove?: readonly number[]
  readonly receipts?: readonly Receipt[]
  readonly settled?: readonly Settled[]
  readonly unkept?: readonly number[]
  readonly account?: number | null
  readonly result: T
}

/**
 * `decide` is a pure function that runs in one transaction, which is on disk when the promise resolves. `lanes` narrows
 * what it sees to their entries.
 */
export interface OutboxStore {
  change<T>(lanes: 'all' | readonly string[], decide: (seen: Seen) => Change<T>): Promise<{ result: T; added: Entry[] }>
  /** Entries are sorted by seq; null means a visitor's. */
  entriesOf(userId: number | null): Promise<Entry[]>
  receipts(): Promise<Receipt[]>
  /** Rows are sorted by seq. */
  settled(userId: number): Promise<Settled[]>
}

export interface DeviceIdentity {
  readonly id: string
  readonly name: string
}

export interface OutboxStorage {
  readonly store: OutboxStore
  readonly device: (make: () => DeviceIdentity) => Promise<DeviceIdentity>
}

export const outboxDatabaseName = 'beaconry-outbox'

/** Removed in one transaction, which takes at most 50 ms: a page may be left or suspended in a longer one. */
export const maxRemovedAtOnce = 500

export const outboxVersion = 1
/** The key comes first, `++` counts automatically, `&` is unique, `[a+b]` is an index over two. */
export const outboxTables = {
  entries: '++seq, &key, owner, lane, [owner+state]',
  receipts: 'key',
  meta: 'name',
  settled: 'seq, userId',
} as const

/** IndexedDB cannot index null: a visitor's changes belong to owner 0. */
export type Row = Omit<Entry, 'seq'> & { seq?: number; owner: number }

export interface MetaRow {
  readonly name: string
  readonly value: unknown
}

export const ownerOf = (userId: number | null) => userId ?? 0

export const damagedCode = 'damaged'

/** A damaged row becomes a parked entry in a lane of its own. */
export function toEntry({ owner: _owner, ...row }: Row): Entry {
  return isWhole(row) ? row : setAside(row as Partial<Entry> & { seq: number })
}

function isWhole(row: Partial<Entry>): row is Entry {
  const { key, userId, lane, mutation, argsVersion, state, attempts, nextAt, refusal } = row
  return (
    typeof key === 'string' &&
    (userId === null || typeof userId === 'number') &&
    typeof lane === 'string' &&
    typeof mutation === 'string' &&
    Number.isFinite(argsVersion) &&
    entryStates.some((known) => known === state) &&
    Number.isFinite(attempts) &&
    Number.isFinite(nextAt) &&
    (state !== 'parked' || typeof refusal?.problem?.message === 'string') &&
    !isDamaged({ mutation, args: row.args, argsVersion: argsVersion as number })
  )
}

function setAside(row: Partial<Entry> & { readonly seq: number }): Entry {
  const { seq, key, userId, mutation, args, argsVersion, createdAt, attempts } = row
  const problem = {
    code: damagedCode,
    message: 'Part of this change was lost on this device, so it cannot be sent. Please look whether to make it again.',
    requestId: '',
  }
  const at = typeof createdAt === 'string' ? createdAt : new Date(0).toISOString()
  return {
    seq,
    key: typeof key === 'string' ? key : `damaged-${seq}`,
    userId: typeof userId === 'number' ? userId : null,
    lane: `damaged:${seq}`,
    mutation: typeof mutation === 'string' ? mutation : damagedCode,
    args: args ?? null,
    argsVersion: typeof argsVersion === 'number' ? argsVersion : 1,
    createdAt: at,
    state: 'parked',
    attempts: typeof attempts === 'number' ? attempts : 0,
    nextAt: 0,
    refusal: { status: 0, problem, at },
  }
}

export function toRow(entry: Entry | NewEntry): Row {
  return { ...entry, owner: ownerOf(entry.userId) }
}
