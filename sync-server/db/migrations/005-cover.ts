import type { Knex } from 'knex'

/** Null: the palette of the event's number. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table events add column cover_palette text')
}
