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
  /** It is null for a visitor's change. */
  readonly userId: number | null
  /** A member of this organizer's team made the change for them; without it the change is the account's own. */
  readonly organizerId?: number
  /** A lane is like `event:12` or `application:7`. */
  readonly lane: string
  readonly mutation: string
  readonly args: unknown
  readonly argsVersion: number
  /** Screens show it, and nothing else uses it. */
  readonly createdAt: string
  readonly state: EntryState
  /** Counts how often it was put into a request. Above 0 it may have happened already. */
  readonly attempts: number
  /** It is not sent before this (milliseconds since the epoch); 0 means at once. */
  readonly nextAt: number
  /** `nextAt` comes from Retry-After: no trigger shortens it. */
  readonly serverAsked?: true
  /** It may have been on its way: it is cancelled on the server, never sent again. */
  readonly discarding?: true
  /** A rehearsal's: it never leaves this device, and is removed when its undo window ends. */
  readonly rehearsal?: true
  /** Its visitor removed the application from this device: it is sent, and its answer is not kept. */
  readonly forget?: true
  /**
   * `version` is the scope's version with the change, and null without a replica. `checkpoint` is where the scope was
   * after it, which a pull names to learn whether the server still has the change.
   */
  readonly acknowledged?: {
    readonly version: number | null
    readonly checkpoint?: string
    readonly epoch?: string
    readonly body: unknown
  }
  /**
   * The server was restored since it was made. `taken`: it had taken the change, which is sent once more under its own
   * key. `waited`: the change had not been answered yet.
   */
  readonly again?: 'taken' | 'waited'
  /** Its write to the disk has not ended. For the screen only; a kept entry never has it. */
  readonly writing?: true
  /** The storage has failed to write it, or does not answer; it is tried again. Only the screen uses this, too. */
  readonly unsaved?: true
  readonly refusal?: { readonly status: number; readonly problem: Problem; readonly at: string }
}

/** Something between this device and the server refused the change. */
export const stoppedCode = 'stopped_on_the_way'

/** The arguments may have the form of another version of the app. */
export type Intention = Pick<Entry, 'mutation' | 'args' | 'argsVersion'>

export type NewEntry = Omit<Entry, 'seq'>

/** A change the server has and the replica shows, kept without its answer as long as a backup may be older. */
export interface Settled extends Pick<
  Entry,
  'seq' | 'key' | 'organizerId' | 'lane' | 'mutation' | 'args' | 'argsVersion' | 'createdAt' | 'attempts'
> {
  readonly userId: number
  /** It is undefined when the server named none. */
  readonly epoch?: string | undefined
  /** The time is in milliseconds since the epoch. */
  readonly settledAt: number
}

export interface Receipt {
  /** Its entry's: it is sent once more in its old position. */
  readonly seq: number
  readonly key: string
  readonly mutation: string
  readonly args: unknown
  /** An application's answer has its id, event, first name and the token of the applicant's own page. */
  readonly answer: unknown
  readonly at: string
  readonly argsVersion: number
  /** It is absent when the server named none. */
  readonly epoch?: string
}

export type SyncState = 'confirmed' | 'saving' | 'not-saved' | 'on-this-phone' | 'sent' | 'needs-attention'

export function syncStateOf({ state, writing, unsaved }: Pick<Entry, 'state' | 'writing' | 'unsaved'>): SyncState {
  if (unsaved) return 'not-saved'
  if (writing) return 'saving'
  if (state === 'acknowledged') return 'sent'
  return state === 'parked' || state === 'blocked' ? 'needs-attention' : 'on-this-phone'
}
