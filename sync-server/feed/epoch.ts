import type { Knex } from 'knex'
import { FEED_CHANNEL } from './change-feed.ts'
import type { FeedListener } from './feed-listener.ts'

/** Announced instead of a scope: every stream tells its device to pull. */
export const NEW_EPOCH = 'epoch'

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
      // The question is asked again when listening resumes.
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
 * Is called once, in the caller's transaction, after the database was set back to an earlier state: every replica starts
 * again.
 * @returns the new epoch
 */
export async function beginEpoch(trx: Knex): Promise<string> {
  const [row] = await trx('sync_epoch')
    .update({
      epoch: trx.raw('gen_random_uuid()'),
      databaseIdentity: await databaseIdentity(trx),
    })
    .returning('epoch')
  if (!row) throw new Error('The table sync_epoch has lost its row')
  await trx.raw('select pg_notify(?, ?)', [FEED_CHANNEL, `${NEW_EPOCH} 0`])
  return row.epoch
}

/**
 * Returns true after a load from a dump, a recovery to a point in time or a promotion of a standby, which may have lost
 * transactions. The first call stores the identity that later ones compare. A copy of the files counts as the same database; devices notice it by the history's ids.
 */
export async function isOtherDatabase(trx: Knex): Promise<boolean> {
  const identity = await databaseIdentity(trx)
  const known = await trx('sync_epoch').first('databaseIdentity')
  // This runs before every poll for jobs, so it takes no lock in the usual case.
  if (known?.databaseIdentity === identity) return false
  const row = await trx('sync_epoch').forUpdate().first('databaseIdentity')
  if (!row || identity === null || row.databaseIdentity === identity) return false
  if (row.databaseIdentity !== null) return true
  await trx('sync_epoch').update({ databaseIdentity: identity })
  return false
}

/**
 * The timeline that is being written now. A promotion starts a new one at once; the control file names it only after the
 * next checkpoint, minutes later.
 */
const timelineNow = `('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint`

/**
 * Names cluster, database and timeline; it is null where the role is not allowed to read it, and in a standby, which has no
 * timeline yet.
 */
async function databaseIdentity(db: Knex): Promise<string | null> {
  const { rows: allowed } = await db.raw<{ rows: { may: boolean }[] }>(
    `select has_function_privilege('pg_control_system()', 'execute')
       and has_function_privilege('pg_walfile_name(pg_lsn)', 'execute')
       and not pg_is_in_recovery() as may`,
  )
  if (!allowed[0]?.may) return null
  const { rows } = await db.raw<{ rows: { identity: string }[] }>(
    `select s.system_identifier || '/' || d.oid || '/' || ${timelineNow} as identity
     from pg_control_system() s, pg_database d where d.datname = current_database()`,
  )
  return rows[0]?.identity ?? null
}
