type JobState = 'waiting' | 'running' | 'done' | 'dead' | 'cancelled'

export interface JobRow {
  id: number
  kind: string
  /** The same intention is queued once. */
  key: string
  payload: Record<string, unknown>
  state: JobState
  runAt: Date
  attempts: number
  maxAttempts: number
  /** Counts holders; never goes back. */
  claims: number
  leaseUntil: Date | null
  lastError: string | null
  createdAt: Date
  updatedAt: Date
}

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

/** What the operator says; a setting without a row is as shipped. */
export interface SiteSettingRow {
  name: 'operator' | 'supportEmail' | 'imprint' | 'privacy' | 'terms'
  value: string
  updatedAt: Date
}

export interface RefusedChangeRow {
  id: number
  /** Null for visitors, counted together. */
  userId: number | null
  route: string
  code: string
  deviceName: string | null
  times: number
  firstAt: Date
  lastAt: Date
  /** When an admin asked for another try. */
  askedAt: Date | null
  seenAt: Date | null
}

export interface BrowserErrorRow {
  hash: string
  name: string
  version: string
  /** The latest one. */
  screen: string
  /** One a line. */
  frames: string
  times: number
  firstAt: Date
  lastAt: Date
}

export interface IdempotencyKeyRow {
  scope: string
  key: string
  requestHash: string
  /** Hash of the route and its parameters alone; null for keys of earlier versions. */
  target: string | null
  /** Status, body and version are null only inside the transaction that makes the effect. */
  status: number | null
  body: string | null
  version: number | null
  /** Names the document's state afterwards; null before its first change, and without states. */
  leftState: string | null
  createdAt: Date
}

export interface SyncEpochRow {
  id: true
  epoch: string
  /** As PostgreSQL tells databases apart; null before the first look. */
  databaseIdentity: string | null
  wentBackAt: Date | null
}

/** One transaction's end in a scope: tells histories with the same versions apart. */
export interface SyncHistoryRow {
  scope: string
  version: number
  historyId: string
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
  /** Finished JSON text for this scope's audience; null for a tombstone. */
  body: string | null
  updatedAt: Date
}
