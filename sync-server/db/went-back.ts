import type { Knex } from 'knex'

/** For so many days after the database went back, what comes with proof that it was taken before is taken as it was. */
const RETURN_DAYS = 90

/** Whether the database went back to an earlier moment so lately that devices may still bring what it lost. */
export async function wentBackLately(db: Knex): Promise<boolean> {
  const row = await db('sync_epoch')
    .whereRaw('went_back_at > now() - make_interval(days => ?)', [RETURN_DAYS])
    .first('epoch')
  return row !== undefined
}
