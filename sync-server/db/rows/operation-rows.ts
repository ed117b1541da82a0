type JobState = 'waiting' | 'running' | 'done' | 'dead' | 'cancelled'

export interface JobRow {
  id: number
  kind: string
  /** Business key: the same intention is queued once. */
  key: string
  payload: Record<string, unknown>
  state: JobState
  runAt: Date
  attempts: number
  maxAttempts: number
  /** Counts its holders, one after another; never goes back. */
  claims: number
  leaseUntil: Date | null
  lastError: string | null
  createdAt: Date
  updatedAt: Date
}

/** What this installation signs with, made when first needed. */
export interface InstallationSecretRow {
  name: string
  secret: string
  createdAt: Date
}

export interface AuditLogRow {
  id: number
  at: Date
  userId: number | null
  deviceId: string | null
  route: string
  subject: string | null
  status: number
  requestId: string
}

/** What phones were refused, by account, call and reason; never what they sent. */
export interface RefusedChangeRow {
  id: number
  /** Null for visitors, who are counted together. */
  userId: number | null
  route: string
  code: string
  /** Of the newest one. */
  deviceName: string | null
  times: number
  firstAt: Date
  lastAt: Date
  /** When an admin asked for another try; older than `last_at` once it was refused again. */
  askedAt: Date | null
  /** When an admin had looked at it. */
  seenAt: Date | null
}

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
  /** Names the state that its document was in after it; null before the first change of it, and where it has no states. */
  leftState: string | null
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
