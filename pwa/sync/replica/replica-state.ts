import type { AccountDocument, ApplicationDocument, EventDocument } from '#shared/sync/replication-calls.ts'
import { observable } from '../http/observable.ts'

export interface ReplicaState {
  /** `closed`: no account is signed in. `loading`: not read from disk yet, or never pulled. */
  readonly status: 'closed' | 'loading' | 'ready'
  readonly userId: number | null
  /** Undefined while nothing was pulled. */
  readonly epoch: string | undefined
  /** The same arrays while nothing in them changed. */
  readonly events: readonly EventDocument[]
  readonly applications: readonly ApplicationDocument[]
  readonly account: AccountDocument | null
  /** When the server was last known to have nothing newer: an ISO instant, null before the first pull. */
  readonly asOf: string | null
  /** The organizer's scope is complete up to this version. */
  readonly appliedVersion: number
  /** Documents that this version of the app cannot read. */
  readonly unreadable: number
  /** Of a first copy's applications, in percent; null before anything came. */
  readonly copiedPercent: number | null
  /** The storage refused the copy more than once; it is tried again. */
  readonly storageFails: boolean
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
  storageFails: false,
}

export const replicaState = observable<ReplicaState>(emptyReplica)
