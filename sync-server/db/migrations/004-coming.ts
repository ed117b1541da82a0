import type { Knex } from 'knex'

/** Null until the Beacon has said; each new decision asks anew. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table applications add column coming boolean')
}
