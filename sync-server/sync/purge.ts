import type { Knex } from 'knex'
import { purgeIdempotencyKeys } from '../calls/idempotency.ts'
import { purgeKnownBrowsers } from '../http/known-browser.ts'
import { purgeRefusedChanges } from './refused-change-store.ts'

const TOMBSTONE_DAYS = 90
const DEAD_SESSION_DAYS = 90
const DEAD_LINK_DAYS = 30
const FAILED_SIGN_IN_DAYS = 90
/** Two years and a day: years have leap days. */
const AUDIT_DAYS = 732

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
    sessions: await purgeSessions(db, now),
    refusals: await purgeRefusedChanges(db, now),
    // Until then a user who opens the link learns why it does nothing.
    links: await db('account_links').where('expiresAt', '<', daysBefore(now, DEAD_LINK_DAYS)).delete(),
    browsers: await purgeKnownBrowsers(db, now),
    failedSignIns: await db('failed_sign_ins').where('hour', '<', daysBefore(now, FAILED_SIGN_IN_DAYS)).delete(),
    // The table itself refuses it sooner.
    auditLines: await db('audit_log').where('at', '<', daysBefore(now, AUDIT_DAYS)).delete(),
  }
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 86_400_000)
}
