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
