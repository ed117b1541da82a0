import type { Knex } from 'knex'
import { FEED_CHANNEL } from './change-feed.ts'
import type { FeedListener } from './feed-listener.ts'

/** What is announced in place of a scope when a new epoch has begun: every stream tells its device to pull. */
export const NEW_EPOCH = 'epoch'

/**
 * How far every sequence moves on: numbers given out in the time that was lost stand in links, on posters and in the
 * queues of phones, and must not name anything else.
 */
const NUMBERS_SKIPPED = 10_000

/** The epoch the feed's versions count in. */
export async function currentEpoch(db: Knex): Promise<string> {
  const row = await db('sync_epoch').first('epoch')
  if (!row) throw new Error('The table sync_epoch has lost its row')
  return row.epoch
}

/**
 * The epoch as this process knows it, for answers that say it in passing; a call that relies on it asks the database.
 * Follows what is announced and what was missed while nothing could be heard.
 */
export async function followEpoch(db: Knex, listener: FeedListener): Promise<() => string> {
  let epoch = await currentEpoch(db)
  const look = () => {
    currentEpoch(db).then(
      (present) => (epoch = present),
      // Heard of again when listening resumes.
      () => undefined,
    )
  }
  listener.onAnnouncement((scope) => {
    if (scope === NEW_EPOCH) look()
  })
  listener.onResumed(look)
  return () => epoch
}

/**
 * Makes every replica start again, in the caller's transaction: to be done once whenever the database went back to an
 * earlier moment. Numbers that were given out in the lost time are not given out again. Answers the new epoch.
 */
export async function beginEpoch(trx: Knex): Promise<string> {
  const [row] = await trx('sync_epoch')
    .update({
      epoch: trx.raw('gen_random_uuid()'),
      databaseIdentity: await databaseIdentity(trx),
      wentBackAt: trx.fn.now(),
    })
    .returning('epoch')
  if (!row) throw new Error('The table sync_epoch has lost its row')
  await trx.raw(
    `select setval(format('%I.%I', schemaname, sequencename)::regclass, least(coalesce(last_value, 0) + ?, max_value))
     from pg_sequences where schemaname = 'public' and sequencename not like 'knex%'`,
    [NUMBERS_SKIPPED],
  )
  await trx.raw('select pg_notify(?, ?)', [FEED_CHANNEL, `${NEW_EPOCH} 0`])
  return row.epoch
}

/**
 * Whether this is another database than the one the epoch was begun in: one that was loaded from a dump, recovered to a
 * point in time, or promoted from a standby. Each of them may have lost its newest transactions. A copy of the files is
 * the same database to PostgreSQL; devices find that one out by the marks of the feed's history.
 */
export async function isOtherDatabase(trx: Knex): Promise<boolean> {
  const row = await trx('sync_epoch').forUpdate().first('databaseIdentity')
  const identity = await databaseIdentity(trx)
  if (!row || identity === null || row.databaseIdentity === identity) return false
  if (row.databaseIdentity !== null) return true
  // The first start that asks.
  await trx('sync_epoch').update({ databaseIdentity: identity })
  return false
}

/** The cluster, the database in it and the timeline of its history; null where the database does not tell. */
async function databaseIdentity(db: Knex): Promise<string | null> {
  const { rows: allowed } = await db.raw<{ rows: { may: boolean }[] }>(
    `select has_function_privilege('pg_control_system()', 'execute')
       and has_function_privilege('pg_control_checkpoint()', 'execute') as may`,
  )
  if (!allowed[0]?.may) return null
  const { rows } = await db.raw<{ rows: { identity: string }[] }>(
    `select s.system_identifier || '/' || d.oid || '/' || c.timeline_id as identity
     from pg_control_system() s, pg_control_checkpoint() c, pg_database d where d.datname = current_database()`,
  )
  return rows[0]?.identity ?? null
}

/** For so many days after the database went back, what comes with proof that it was taken before is taken as it was. */
const RETURN_DAYS = 90

/** Whether the database went back to an earlier moment so lately that devices may still bring what it lost. */
export async function wentBackLately(db: Knex): Promise<boolean> {
  const row = await db('sync_epoch')
    .whereRaw('went_back_at > now() - make_interval(days => ?)', [RETURN_DAYS])
    .first('epoch')
  return row !== undefined
}
