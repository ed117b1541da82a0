import { observable } from '../http/observable.ts'
import type { Entry } from '../queue/entry.ts'

/** By seq: the signed-in account's changes, and those a visitor made on this device. */
export interface PendingEntries {
  /** False until the queue was read for the first time. */
  readonly read: boolean
  readonly account: readonly Entry[]
  readonly visitor: readonly Entry[]
  /** The account's changes whose write to the disk has begun and not ended, in the order they were made; absent = none. */
  readonly writing?: readonly Entry[] | undefined
}

export const pendingEntries = observable<PendingEntries>({ read: false, account: [], visitor: [] })

/** Changes offered again because the server's database went back; 0 once the user has read it. */
export const offeredAgain = observable(0)
