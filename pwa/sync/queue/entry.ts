import type { Problem } from '#shared/contract/problem.ts'

/**
 * `held` (a decision's undo window) → `queued` → `sending` → `acknowledged` → removed once the replica has caught up.
 * `needsAuth` waits for a sign-in, `parked` for a person, `blocked` behind a parked entry.
 */
export const entryStates = ['held', 'queued', 'sending', 'acknowledged', 'needsAuth', 'parked', 'blocked'] as const
export type EntryState = (typeof entryStates)[number]

export interface Entry {
  readonly seq: number
  readonly key: string
  /** Null for a visitor's change. */
  readonly userId: number | null
  /** Such as `event:12`, `application:7`. */
  readonly lane: string
  readonly mutation: string
  readonly args: unknown
  readonly argsVersion: number
  /** For display only. */
  readonly createdAt: string
  readonly state: EntryState
  /** How often it was put into a request. Above 0 it may have happened already. */
  readonly attempts: number
  /** Not sent before this (milliseconds since the epoch); 0 = at once. */
  readonly nextAt: number
  /** `nextAt` comes from Retry-After: no trigger shortens it. */
  readonly serverAsked?: true
  /** It may have been on its way: it is cancelled on the server, never sent again. */
  readonly discarding?: true
  /** Its visitor removed the application from this device: it is sent, and its answer is not kept. */
  readonly forget?: true
  /** `version`: the scope's version with the change; null without a replica. */
  readonly acknowledged?: { readonly version: number | null; readonly epoch?: string; readonly body: unknown }
  /**
   * Offered again after a restore, under its own key. `since`: milliseconds since the epoch. `isNew`: no server has
   * said that it took it.
   */
  readonly again?: { readonly since: number; readonly isNew?: true }
  /** Its write to the disk has not ended. For the screen only; a kept entry never has it. */
  readonly writing?: true
  readonly refusal?: { readonly status: number; readonly problem: Problem; readonly at: string }
}

/** The code of a refusal by something between this device and the server. */
export const stoppedCode = 'stopped_on_the_way'

/** The arguments may have the form of another version of the app. */
export type Intention = Pick<Entry, 'mutation' | 'args' | 'argsVersion'>

export type NewEntry = Omit<Entry, 'seq'>

/** A change the server has and the replica shows, kept without its answer as long as a backup may be older. */
export interface Settled extends Pick<
  Entry,
  'seq' | 'key' | 'lane' | 'mutation' | 'args' | 'argsVersion' | 'createdAt' | 'attempts'
> {
  readonly userId: number
  /** Undefined when the server named none. */
  readonly epoch?: string | undefined
  /** Milliseconds since the epoch. */
  readonly settledAt: number
}

export interface Receipt {
  readonly key: string
  readonly mutation: string
  readonly args: unknown
  /** For an application its id, event, first name and the token of the applicant's own page. */
  readonly answer: unknown
  readonly at: string
  /** Absent from receipts of an older app, whose arguments are of version 1. */
  readonly argsVersion?: number
  /** Absent when the server named none. */
  readonly epoch?: string
}

export type SyncState = 'confirmed' | 'saving' | 'on-this-phone' | 'sent' | 'needs-attention'

export function syncStateOf({ state, writing }: Pick<Entry, 'state' | 'writing'>): SyncState {
  if (writing) return 'saving'
  if (state === 'acknowledged') return 'sent'
  return state === 'parked' || state === 'blocked' ? 'needs-attention' : 'on-this-phone'
}
