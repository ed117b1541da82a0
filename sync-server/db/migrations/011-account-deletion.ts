import type { Knex } from 'knex'

/** When the account is deleted, as its owner asked; null for every other. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table users add column deletes_at timestamptz;
    create index users_deletes_at on users (deletes_at) where deletes_at is not null`)
}
