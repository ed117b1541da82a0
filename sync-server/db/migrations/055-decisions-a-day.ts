import type { Knex } from 'knex'

/** How often an application was decided on the last day that it was: so much is allowed and no more. */
export async function up(db: Knex): Promise<void> {
  await db.raw(
    'alter table applications add column decided_day integer, add column decided_times integer not null default 0',
  )
}
