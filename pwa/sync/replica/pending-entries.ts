import { observable } from '../http/observable.ts'
import type { Entry } from '../queue/entry.ts'

/** The queue as the screens read it: the signed-in account's changes, and those a visitor made on this device; by seq. */
export interface PendingEntries {
  /** False until the queue was read for the first time. */
  readonly read: boolean
  readonly account: readonly Entry[]
  readonly visitor: readonly Entry[]
  /** The account's changes whose write to the disk has begun and not ended, in the order they were made; absent = none. */
  readonly writing?: readonly Entry[] | undefined
}

export const pendingEntries = observable<PendingEntries>({ read: false, account: [], visitor: [] })

/** How many changes of this device are offered again because the server's database went back; 0 once the user has read it. */
export const offeredAgain = observable(0)
