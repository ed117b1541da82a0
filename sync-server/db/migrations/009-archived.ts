import type { Knex } from 'knex'

/** Whether the organizer's devices keep no copy of the application. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table applications add column archived boolean not null default false')
}
