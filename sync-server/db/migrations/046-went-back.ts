import type { Knex } from 'knex'

/** When the database last went back to an earlier moment: what comes with proof that it was taken before counts only since. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table sync_epoch add column went_back_at timestamptz')
}
