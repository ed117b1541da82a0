import { observable } from '../../browser/observable.ts'
import type { Entry } from '../queue/entry.ts'

export interface PendingEntries {
  /** False until the account's queue was read; only then may anything be called saved. */
  readonly read: boolean
  readonly account: readonly Entry[]
  readonly visitor: readonly Entry[]
  /** Of the account, not on disk yet, in the order they were made; absent = none. */
  readonly writing?: readonly Entry[] | undefined
}

export const pendingEntries = observable<PendingEntries>({ read: false, account: [], visitor: [] })

/**
 * Counts changes that were offered again because the server's database went back; it is 0 once the user has read it.
 */
export const offeredAgain = observable(0)
