import type { Knex } from 'knex'
import { purgeIdempotencyKeys } from '../calls/idempotency.ts'
import { sessionHasRunOut } from '../db/run-out-session.ts'
import { KNOWN_DAYS } from '../http/known-browser.ts'

const TOMBSTONE_DAYS = 90
const DEAD_SESSION_DAYS = 90

/** Each has a table, a moment in each of its rows, and how many days the row outlives it. */
const aging = {
  // Until then a user who opens the link learns why it does nothing.
  links: ['account_links', 'expires_at', 30],
  invitations: ['team_invitations', 'expires_at', 0],
  browsers: ['known_browsers', 'seen_at', KNOWN_DAYS],
  failedSignIns: ['failed_sign_ins', 'hour', 90],
  // Two years and a day: years have leap days. The table itself refuses it sooner.
  auditLines: ['audit_log', 'at', 732],
} as const

/** Moves the horizon of their scopes, so that a replica which missed them starts again. Answers how many. */
export async function purgeTombstones(db: Knex, now: Date): Promise<number> {
  const before = daysBefore(now, TOMBSTONE_DAYS)
  const result = await db.raw<{ rows: { purged: number }[] }>(
    `with gone as (
       delete from sync_log where deleted and updated_at < ? returning scope, version
     ), raised as (
       update sync_scope s set horizon = greatest(s.horizon, g.newest)
       from (select scope, max(version) as newest from gone group by scope) g where g.scope = s.scope
     )
     select count(*) as purged from gone`,
    [before],
  )
  return result.rows[0]?.purged ?? 0
}

/**
 * Keeps each scope's newest row of 90 days ago: a replica that has seen it goes on, an older one starts again. Answers
 * how many.
 */
async function purgeHistory(db: Knex, now: Date): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `delete from sync_history h using (
       select scope, max(version) as newest from sync_history where made_at < ? group by scope
     ) old where h.scope = old.scope and h.version < old.newest`,
    [daysBefore(now, TOMBSTONE_DAYS)],
  )
  return rowCount
}

/** Until then a device can learn why it is signed out. */
async function purgeSessions(db: Knex, now: Date): Promise<number> {
  const before = daysBefore(now, DEAD_SESSION_DAYS)
  return await db('sessions')
    .where('absoluteExpiresAt', '<', before)
    .orWhere('expiresAt', '<', before)
    .orWhere('revokedAt', '<', before)
    .delete()
}

/** Run once a day. Answers how many rows went. */
export async function purgeExpired(db: Knex, now: Date) {
  return {
    keys: await purgeIdempotencyKeys(db, now),
    tombstones: await purgeTombstones(db, now),
    history: await purgeHistory(db, now),
    alertedDevices: await db('push_subscriptions').whereRaw(sessionHasRunOut, [now]).delete(),
    sessions: await purgeSessions(db, now),
    ...(await purgeAged(db, now)),
  }
}

async function purgeAged(db: Knex, now: Date): Promise<{ readonly [N in keyof typeof aging]: number }> {
  const counts: Record<string, number> = {}
  for (const [name, [table, column, days]] of Object.entries(aging)) {
    const before = daysBefore(now, days)
    const { rowCount } = await db.raw<{ rowCount: number }>(`delete from ${table} where ${column} < ?`, [before])
    counts[name] = rowCount
  }
  return counts as { [N in keyof typeof aging]: number }
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 86_400_000)
}
