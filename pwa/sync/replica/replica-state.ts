import type { AccountDocument, ApplicationDocument, EventDocument } from '#shared/sync/replication-calls.ts'
import { observable } from '../../browser/observable.ts'

export interface ReplicaState {
  /** `closed` means that no account is signed in, and `loading` that it was not read from disk yet, or never pulled. */
  readonly status: 'closed' | 'loading' | 'ready'
  readonly userId: number | null
  /** It is undefined while nothing was pulled. */
  readonly epoch: string | undefined
  /** The arrays stay the same while nothing in them changes. */
  readonly events: readonly EventDocument[]
  readonly applications: readonly ApplicationDocument[]
  readonly account: AccountDocument | null
  /** When the server was last known to have nothing newer: an ISO instant, null before the first pull. */
  readonly asOf: string | null
  /** The organizer's scope is complete up to this version. */
  readonly appliedVersion: number
  /** This version of the app cannot read these documents. */
  readonly unreadable: number
  /** Counts a first copy's applications in percent; it is null before anything came. */
  readonly copiedPercent: number | null
}

export const emptyReplica: ReplicaState = {
  status: 'closed',
  userId: null,
  epoch: undefined,
  events: [],
  applications: [],
  account: null,
  asOf: null,
  appliedVersion: 0,
  unreadable: 0,
  copiedPercent: null,
}

export const replicaState = observable<ReplicaState>(emptyReplica)
