import type { Knex } from 'knex'

export async function up(db: Knex): Promise<void> {
  await db.raw('alter table sync_history rename column mark to history_id')
}
