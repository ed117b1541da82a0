import type { Entry, NewEntry, Receipt, Settled } from '../entry.ts'

/** Who drains the queue right now, and when it last said so (milliseconds since the epoch). */
export interface Lease {
  readonly owner: string
  readonly at: number
  /** When the server last said that this app is too old (milliseconds since the epoch); absent = not since it was tried last. */
  readonly tooOldAt?: number
}

/** What one transaction sees. `account` is who is signed in on this device: null = nobody, undefined = never said. */
export interface Seen {
  /** By seq, ascending. */
  readonly entries: readonly Entry[]
  readonly lease: Lease | undefined
  readonly account: number | null | undefined
}

/** What one transaction does. Everything in it happens, or nothing. */
export interface Change<T> {
  readonly put?: readonly Entry[]
  readonly add?: readonly NewEntry[]
  readonly remove?: readonly number[]
  readonly receipts?: readonly Receipt[]
  /** Kept beside the queue from now on. */
  readonly settled?: readonly Settled[]
  /** The seqs of those that need not be kept any more. */
  readonly unkept?: readonly number[]
  readonly lease?: Lease | null
  readonly account?: number | null
  readonly result: T
}

/**
 * Where the queue is kept. Deliberately narrow: a change is a pure function of what it sees, run inside one transaction
 * that is on disk when the promise resolves. `lanes` narrows what it sees to the entries of these lanes.
 */
export interface OutboxStore {
  change<T>(lanes: 'all' | readonly string[], decide: (seen: Seen) => Change<T>): Promise<{ result: T; added: Entry[] }>
  /** Entries of one account, or a visitor's (null), by seq. */
  entriesOf(userId: number | null): Promise<Entry[]>
  lease(): Promise<Lease | undefined>
  receipts(): Promise<Receipt[]>
  /** What is kept of an account's settled changes, by seq. */
  settled(userId: number): Promise<Settled[]>
}

/** This device as the server's history names it. */
export interface DeviceIdentity {
  readonly id: string
  readonly name: string
}

/** What one browser keeps beside each other: the queue, and who this device is. */
export interface OutboxStorage {
  readonly store: OutboxStore
  /** This device's number and name; made at first use. */
  readonly device: (make: () => DeviceIdentity) => Promise<DeviceIdentity>
}
