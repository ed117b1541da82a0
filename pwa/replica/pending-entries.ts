import { observable } from '../api/observable.ts'
import type { Entry } from '../outbox/entry.ts'

/** The queue as the screens read it: the signed-in account's changes, and those a visitor made on this device; by seq. */
export interface PendingEntries {
  /** False until the queue was read for the first time. */
  readonly read: boolean
  readonly account: readonly Entry[]
  readonly visitor: readonly Entry[]
}

export const pendingEntries = observable<PendingEntries>({ read: false, account: [], visitor: [] })
