import type { ProblemCode } from '#shared/contract/problem.ts'

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

/** Keeps the id of a deleted event or application. */
export interface UsedIdRow {
  kind: 'event' | 'application'
  id: number
}

export interface IdempotencyKeyRow {
  scope: string
  key: string
  /**
   * Hashes the route and its parameters, and for calls that cannot be queued the body, too; it is empty for a cancelled
   * change.
   */
  target: string
  /** It is null only inside the transaction that makes the effect. */
  status: number | null
  /** It is null for a change that was made. */
  refusal: ProblemCode | null
  version: number | null
  /** Names the document of the feed that was the answer, and its id or that of another answer. */
  collection: 'events' | 'applications' | null
  docId: number | null
  /** Names the document's state afterwards; null before its first change, and without states. */
  leftState: string | null
  createdAt: Date
}

export interface SyncEpochRow {
  id: true
  epoch: string
  /** PostgreSQL tells databases apart by this; it is null before the first look. */
  databaseIdentity: string | null
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
  /** This is finished JSON text for this scope's audience; a tombstone has null. */
  body: string | null
  updatedAt: Date
}

export interface DailySumRow {
  /** The day of the UTC. */
  day: string
  line: 'users' | 'events' | 'subscriptions' | 'applications' | 'revenue' | 'mails-failed'
  /** Of several rows of a day and line their sum counts. */
  amount: number
}
