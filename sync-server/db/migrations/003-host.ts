import type { Knex } from 'knex'

/** A contact address is stored once it is confirmed; until then a link carries it. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table users add column contact_email text;
    alter table account_links drop constraint account_links_purpose_check,
      add constraint account_links_purpose_check check (purpose in ('reset', 'verify', 'change', 'contact'));`)
}
