import type { Knex } from 'knex'

/** `day` is the venue's. `came_from` is null where the sender did not say. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table event_views (
      event_id bigint not null references events on delete cascade,
      day date not null,
      source text not null,
      views integer not null,
      primary key (event_id, day, source)
    );
    alter table applications add column came_from text;`)
}
