import type { Knex } from 'knex'

/** Errors of pages, grouped by `hash`. `frames` has a line for each. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table browser_errors (
      hash text primary key,
      name text not null,
      version text not null,
      screen text not null,
      frames text not null,
      times bigint not null,
      first_at timestamptz not null,
      last_at timestamptz not null
    );
    create index browser_errors_age on browser_errors (last_at);`)
}
