import type { Knex } from 'knex'

/** Accounts that people made on a server that was no demo: beside them there is no demo. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table users add column made_live boolean not null default false')
}
