import type { Problem } from '#shared/contract/problem.ts'

/**
 * Where a queued change is:
 * `held` (a decision's undo window) → `queued` → `sending` → `acknowledged` → removed once the replica has caught up.
 * `needsAuth` waits for a sign-in; `parked` was refused and waits for a person; `blocked` waits behind a parked one.
 */
export const entryStates = ['held', 'queued', 'sending', 'acknowledged', 'needsAuth', 'parked', 'blocked'] as const
export type EntryState = (typeof entryStates)[number]

/** One queued change: a named intention with its arguments, as kept in IndexedDB. */
export interface Entry {
  /** Auto-incremented: the order of the queue. Never a clock. */
  readonly seq: number
  /** The Idempotency-Key (uuid). */
  readonly key: string
  /** Whose change this is; null for a visitor's. */
  readonly userId: number | null
  /** Changes of one lane leave in order; `event:12`, `application:7`. */
  readonly lane: string
  readonly mutation: string
  readonly args: unknown
  readonly argsVersion: number
  /** For display only; never used for ordering. */
  readonly createdAt: string
  readonly state: EntryState
  /** How often it was put into a request. Above 0 it may have happened already, whatever came back. */
  readonly attempts: number
  /** Milliseconds since the epoch before which the entry is not sent; 0 = at once. */
  readonly nextAt: number
  /** `nextAt` comes from the server (Retry-After): no trigger shortens it. */
  readonly serverAsked?: true
  /** The person gave it up while it may have been on its way: it is cancelled on the server, never sent again. */
  readonly discarding?: true
  /** A visitor had their application removed from this device: it is sent, and nothing of the answer is kept. */
  readonly forget?: true
  /**
   * With `acknowledged`: the scope's version the change got (null when it has no replica), the epoch it counts in if the
   * server said, and the answer's body.
   */
  readonly acknowledged?: { readonly version: number | null; readonly epoch?: string; readonly body: unknown }
  /**
   * The server was restored to an earlier moment: it is sent under its own key, and waits for a day for what another device has to
   * bring back first. Since when (milliseconds since the epoch). `isNew`: no server has said that it took it.
   */
  readonly again?: { readonly since: number; readonly isNew?: true }
  /** Its write to the disk has begun and not ended. Shown on the screen only; an entry that is kept never has it. */
  readonly writing?: true
  /** With `parked`: why the server refused. */
  readonly refusal?: { readonly status: number; readonly problem: Problem; readonly at: string }
}

/** The refusal of a change that something between this device and the server stopped. */
export const stoppedCode = 'stopped_on_the_way'

/** What a queued change does, in the form of some version of the app. */
export type Intention = Pick<Entry, 'mutation' | 'args' | 'argsVersion'>

/** A new entry before the database gave it its place in the queue. */
export type NewEntry = Omit<Entry, 'seq'>

/**
 * A change the server has and the replica shows, kept without its answer as long as a backup may be older: a server that went
 * back is offered it again.
 */
export interface Settled extends Pick<
  Entry,
  'seq' | 'key' | 'lane' | 'mutation' | 'args' | 'argsVersion' | 'createdAt' | 'attempts'
> {
  readonly userId: number
  /** The epoch in which the server took it; undefined when it named none. */
  readonly epoch?: string | undefined
  /** Milliseconds since the epoch. */
  readonly settledAt: number
}

/** What is kept of a visitor's change after the server took it: the answer's own words. */
export interface Receipt {
  readonly key: string
  readonly mutation: string
  readonly args: unknown
  /** The server's answer: for an application its id, event, first name and the token of the applicant's own page. */
  readonly answer: unknown
  readonly at: string
  /** Absent from receipts of an older app, whose arguments are of version 1. */
  readonly argsVersion?: number
  /** The epoch in which the server took it; absent when it named none. */
  readonly epoch?: string
}

/** What the screen shows beside a row: where its newest change is. */
export type Mark = 'confirmed' | 'saving' | 'on-this-phone' | 'sent' | 'needs-attention'

/** The mark of one entry. Nothing is shown as sent before the server acknowledged it, and nothing as saved before it is on disk. */
export function markOf(entry: Pick<Entry, 'state' | 'writing'>): Mark {
  if (entry.writing) return 'saving'
  switch (entry.state) {
    case 'held':
    case 'queued':
    case 'sending':
    case 'needsAuth':
      return 'on-this-phone'
    case 'acknowledged':
      return 'sent'
    case 'parked':
    case 'blocked':
      return 'needs-attention'
  }
}
