import type { Knex } from 'knex'

/** Mails to applicants are counted for the organizer in whose name they go out, also once their event is gone. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table mails add column organizer_id integer references users on delete set null')
  await db.raw('update mails m set organizer_id = e.organizer_id from events e where e.id = m.event_id')
  await db.raw(
    'create index mails_counted on mails (organizer_id, handed_over_at) where user_id is null and handed_over_at is not null',
  )
}
