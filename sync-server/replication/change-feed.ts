import type { Knex } from 'knex'

/** A scope of the change feed as the database names it: `org:7`, `account:7` or `public`. */
export type FeedScope = `org:${number}` | `account:${number}` | 'public'

/** The collections the feed keeps, per scope. `beacons` is the public part of an approved application. */
export type FeedCollection = 'events' | 'applications' | 'account' | 'beacons'

/** One document as an audience sees it from now on; null = that audience no longer sees it. */
export interface Change {
  readonly scope: FeedScope
  readonly collection: FeedCollection
  readonly docId: string
  readonly document: object | null
}

/** The newest version of each scope that a transaction wrote to. */
export type FeedVersions = ReadonlyMap<FeedScope, number>

/**
 * Writes changes as the last statements of their transaction: takes each scope's row lock in a fixed order (public
 * last), gives every document the next version and announces the scopes with NOTIFY.
 */
export type RecordChanges = (trx: Knex.Transaction, changes: readonly Change[]) => Promise<FeedVersions>
