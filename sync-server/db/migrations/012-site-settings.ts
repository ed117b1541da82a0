import type { Knex } from 'knex'

/** What the operator says about the site, a row for each setting that has been set. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table site_settings (
      name text primary key,
      value text not null,
      updated_at timestamptz not null
    )`)
}
