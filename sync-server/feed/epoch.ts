import type { Knex } from 'knex'
import { FEED_CHANNEL } from './change-feed.ts'
import type { FeedListener } from './feed-listener.ts'

/** Announced instead of a scope: every stream tells its device to pull. */
export const NEW_EPOCH = 'epoch'

/**
 * Each sequence moves on by so many: numbers of the lost time stand in links, on posters and in queues, and must name
 * nothing else.
 */
const NUMBERS_SKIPPED = 10_000

export async function currentEpoch(db: Knex): Promise<string> {
  const row = await db('sync_epoch').first('epoch')
  if (!row) throw new Error('The table sync_epoch has lost its row')
  return row.epoch
}

/** For answers that name the epoch in passing; a call that relies on it asks the database. */
export async function followEpoch(db: Knex, listener: FeedListener): Promise<() => string> {
  let epoch = await currentEpoch(db)
  const look = () => {
    currentEpoch(db).then(
      (present) => (epoch = present),
      // Asked again when listening resumes.
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
 * In the caller's transaction, once after the database went back: every replica starts again, and lost numbers are not
 * given out again. Answers the new epoch.
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
 * True after a load from a dump, a recovery to a point in time or a promotion of a standby, which may have lost
 * transactions. A copy of the files counts as the same database; devices notice it by the history's ids.
 */
export async function isOtherDatabase(trx: Knex): Promise<boolean> {
  const row = await trx('sync_epoch').forUpdate().first('databaseIdentity')
  const identity = await databaseIdentity(trx)
  if (!row || identity === null || row.databaseIdentity === identity) return false
  if (row.databaseIdentity !== null) return true
  await trx('sync_epoch').update({ databaseIdentity: identity })
  return false
}

/** Cluster, database and timeline; null where the database may not tell. */
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

/** Days after a restore in which changes with a proof of their acceptance are taken as they were. */
const RETURN_DAYS = 90

export async function wentBackLately(db: Knex): Promise<boolean> {
  const row = await db('sync_epoch')
    .whereRaw('went_back_at > now() - make_interval(days => ?)', [RETURN_DAYS])
    .first('epoch')
  return row !== undefined
}
