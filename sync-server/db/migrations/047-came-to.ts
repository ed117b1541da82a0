import type { Knex } from 'knex'

/** The count a change came to, which the change that was made on its result is made on. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table idempotency_keys add column came_to integer')
}
