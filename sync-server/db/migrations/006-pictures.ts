import type { Knex } from 'knex'

/** Beside the rows, which are read far more often; these know the hash alone. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table events add column cover_hash text;
    alter table applications add column face_hash text;
    create table event_covers (
      event_id bigint primary key references events on delete cascade,
      sha256 text not null,
      body bytea not null check (octet_length(body) <= 80000),
      created_at timestamptz not null
    );
    create table application_faces (
      application_id bigint primary key references applications on delete cascade,
      sha256 text not null,
      body bytea not null check (octet_length(body) <= 25000),
      created_at timestamptz not null
    );`)
}
