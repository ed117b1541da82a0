import type { Knex } from 'knex'

/** Both null: not taken down. Beside the record, so that no edit of the organizer's reaches them. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table events add column taken_down_at timestamptz, add column taken_down_reason text,
      add constraint events_taken_down_whole check (num_nulls(taken_down_at, taken_down_reason) in (0, 2))`)
}
