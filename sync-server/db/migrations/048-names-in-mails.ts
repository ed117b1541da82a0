import type { Knex } from 'knex'

/** Who has opened the link in a mail may be greeted by name in the next; decision mails are counted for each mailbox. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table applications add column link_opened_at timestamptz')
  await db.raw(
    `create index mails_of_mailbox on mails (regexp_replace(lower(to_address), '\\+[^@]*@', '@')) where kind = 'decision'`,
  )
}
