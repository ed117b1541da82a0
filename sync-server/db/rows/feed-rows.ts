export interface IdempotencyKeyRow {
  scope: string
  key: string
  requestHash: string
  /** Hash of the route and its place alone; null where the key was stored by an earlier version. */
  target: string | null
  /** Status, body and version are null only inside the transaction that is making the effect. */
  status: number | null
  body: string | null
  version: number | null
  /** The count that a change of a counted document came to by itself; null where there is none. */
  cameTo: number | null
  createdAt: Date
}

export interface SyncEpochRow {
  id: true
  epoch: string
  /** The database the epoch was begun in, as PostgreSQL tells databases apart; null before the first look. */
  databaseIdentity: string | null
  /** When the database last went back to an earlier moment; null when it never did. */
  wentBackAt: Date | null
}

/** One transaction's end in a scope: what tells two histories with the same versions apart. */
export interface SyncHistoryRow {
  scope: string
  version: number
  mark: string
  madeAt: Date
}

export interface SyncScopeRow {
  scope: string
  version: number
  /** Tombstones at or below this version are purged: an older checkpoint must start again. */
  horizon: number
}

export interface SyncLogRow {
  scope: string
  collection: string
  docId: string
  version: number
  deleted: boolean
  /** The document's finished JSON text for this scope's audience; null for a tombstone. */
  body: string | null
  updatedAt: Date
}
