import type { Knex } from 'knex'

/** Organizers choose whether they are mailed about new applications. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table users add column mail_new_applications boolean not null default true')
}
