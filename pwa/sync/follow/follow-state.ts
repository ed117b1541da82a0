import type { Collection, Scope } from '#shared/sync/collections.ts'
import type { Poke } from '#shared/sync/replication-calls.ts'
import type { StreamEnd } from './live-stream.ts'
import type { Heads } from './progress.ts'
import type { PullEnd } from './pull.ts'

/** Requests that no news causes; one of each is planned at most. */
export const plans = ['retry', 'behind', 'poll', 'stream', 'resync'] as const
export type Plan = (typeof plans)[number]

export interface Begun {
  readonly head: number | undefined
  readonly announced: number
  readonly beginning: number
}

export interface FollowState {
  readonly suspended: 'signed-out' | 'update-app' | undefined
  readonly stream: 'closed' | 'opening' | 'live'
  /** A live stream broke off, and it is not known yet whether the network did too. */
  readonly isDoubted: boolean
  readonly heads: Heads
  /** The last version of each scope that the stream named. */
  readonly announced: Readonly<Partial<Record<Scope, number>>>
  /** Being pulled, or written to with a poke's documents. */
  readonly pulling: ReadonlyMap<Collection, Begun | 'writing'>
  /** To be pulled again after the present pull. */
  readonly again: ReadonlySet<Collection>
  readonly missed: ReadonlySet<Collection>
  /** To be pulled together, because many changes are leaving. */
  readonly putOff: ReadonlySet<Collection>
  readonly isPutOffTimed: boolean
  readonly planned: ReadonlySet<Plan>
  /** What the plan `behind` pulls. */
  readonly behind: readonly Collection[]
  readonly isWriting: boolean
  /** Each continues the one before. */
  readonly pokes: readonly Poke[]
  readonly pullFailures: number
  readonly streamFailures: number
  readonly polls: number
  readonly beginnings: number
  readonly hintedAt: number
}

export type Phase = 'suspended' | 'live' | 'offline' | 'pulling'

export interface Senses {
  /** Milliseconds of a monotonic clock. */
  readonly now: number
  /** 0–1, to spread devices that failed together. */
  readonly random: () => number
  readonly isVisible: () => boolean
  /** A poke does not settle changes acknowledged without a version. */
  readonly needsPulls: () => boolean
  /** What many changes under way cause is pulled in few pieces, not in one per answer. */
  readonly areManyLeaving: () => boolean
}

export type FollowEvent =
  /** A person asks, or the session is good again. */
  | { readonly type: 'begin' }
  /** The page is looked at again, or the network is said to be back: connections may be dead unnoticed. */
  | { readonly type: 'hint' }
  | { readonly type: 'due'; readonly plan: Plan }
  | { readonly type: 'pulled'; readonly name: Collection; readonly end: Exclude<PullEnd, { kind: 'reset' }> }
  | { readonly type: 'live' }
  | { readonly type: 'poke'; readonly poke: Poke }
  /** Something may have been missed. */
  | { readonly type: 'resync' }
  | { readonly type: 'stream-ended'; readonly end: StreamEnd }
  | { readonly type: 'written'; readonly poke: Poke; readonly isWritten: boolean }
  /** The server took changes of this device. */
  | { readonly type: 'taken'; readonly names: readonly Collection[] }
  /** Changes under way have arrived, or the time is up. */
  | { readonly type: 'put-off-due' }

export type Effect =
  | { readonly type: 'pull'; readonly name: Collection }
  | { readonly type: 'write'; readonly poke: Poke }
  /** Closes an open one. `patienceMs`: until its first word. */
  | { readonly type: 'open-stream'; readonly patienceMs: number }
  | { readonly type: 'close-stream' }
  | { readonly type: 'plan'; readonly plan: Plan; readonly waitMs: number }
  | { readonly type: 'cancel'; readonly plan: Plan }
  | { readonly type: 'time-put-off' }
  | { readonly type: 'cancel-put-off' }
  /** The pull proves what was acknowledged before it began. */
  | { readonly type: 'proved'; readonly name: Collection }
  | { readonly type: 'progress' }
  | { readonly type: 'ended'; readonly name: Collection; readonly arrived: boolean }

export const unfollowed = (heads: Heads): FollowState => ({
  suspended: undefined,
  stream: 'closed',
  isDoubted: false,
  heads,
  announced: {},
  pulling: new Map(),
  again: new Set(),
  missed: new Set(),
  putOff: new Set(),
  isPutOffTimed: false,
  planned: new Set(),
  behind: [],
  isWriting: false,
  pokes: [],
  pullFailures: 0,
  streamFailures: 0,
  polls: 0,
  beginnings: 0,
  hintedAt: -Infinity,
})

export function phaseOf({ suspended, stream, missed }: FollowState): Phase {
  if (suspended !== undefined) return 'suspended'
  if (stream === 'live') return 'live'
  return missed.size > 0 ? 'offline' : 'pulling'
}
