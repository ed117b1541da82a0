import type { Knex } from 'knex'
import { alerts, applications, events, mail } from './schema/events-tables.ts'
import { jobs, operation, sync } from './schema/operation-tables.ts'
import { accounts, billing } from './schema/people-tables.ts'

export interface NamedMigration {
  readonly name: string
  readonly sql: string
}

/** A released entry is never renamed, reordered or edited: knex compares names with the database. */
const migrations: NamedMigration[] = [
  {
    // Money is whole cents, texts are bounded by the contract. Ids of events and applications come from their
    // creators; their identity columns serve the demo and tests. The order matters: PostgreSQL checks constraints on a
    // deleted row in the order they were made, so a mail lets go of its event after the event's applications have
    // gone.
    name: '001-schema',
    sql: [accounts, billing, events, applications, mail, alerts, sync, jobs, operation].join(''),
  },
  {
    name: '002-history-id',
    sql: 'alter table sync_history rename column mark to history_id',
  },
  {
    // A contact address is stored once it is confirmed; until then a link carries it.
    name: '003-host',
    sql: `
    alter table users add column contact_email text;
    alter table account_links drop constraint account_links_purpose_check,
      add constraint account_links_purpose_check check (purpose in ('reset', 'verify', 'change', 'contact'));`,
  },
  {
    // Null until the Beacon has said; each new decision asks anew.
    name: '004-coming',
    sql: 'alter table applications add column coming boolean',
  },
  {
    // Null: the palette of the event's number.
    name: '005-cover',
    sql: 'alter table events add column cover_palette text',
  },
  {
    // Beside the rows, which are read far more often; these know the hash alone.
    name: '006-pictures',
    sql: `
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
    );`,
  },
  {
    // `day` is the venue's. `came_from` is null where the sender did not say.
    name: '007-views',
    sql: `
    create table event_views (
      event_id bigint not null references events on delete cascade,
      day date not null,
      source text not null,
      views integer not null,
      primary key (event_id, day, source)
    );
    alter table applications add column came_from text;`,
  },
  {
    // Both null: not taken down. Beside the record, so that no edit of the organizer's reaches them.
    name: '008-taken-down',
    sql: `
    alter table events add column taken_down_at timestamptz, add column taken_down_reason text,
      add constraint events_taken_down_whole check (num_nulls(taken_down_at, taken_down_reason) in (0, 2))`,
  },
  {
    // Whether the organizer's devices keep no copy of the application.
    name: '009-archived',
    sql: 'alter table applications add column archived boolean not null default false',
  },
  {
    // Errors of pages, grouped by `hash`. `frames` has a line for each.
    name: '010-browser-errors',
    sql: `
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
    create index browser_errors_age on browser_errors (last_at);`,
  },
  {
    // When the account is deleted, as its owner asked; null for every other.
    name: '011-account-deletion',
    sql: `
    alter table users add column deletes_at timestamptz;
    create index users_deletes_at on users (deletes_at) where deletes_at is not null`,
  },
  {
    // What the operator says about the site, a row for each setting that has been set.
    name: '012-site-settings',
    sql: `
    create table site_settings (
      name text primary key,
      value text not null,
      updated_at timestamptz not null
    )`,
  },
  {
    // Decisions update applications and stored answers in place. Public documents are found by id alone. What is spent
    // of allowances is in no log: after a crash of the database it counts anew.
    name: '013-fewer-writes',
    sql: `
    create unique index sync_log_version on sync_log (scope, collection, version) where scope <> 'public';
    drop index sync_log_version_unique;
    drop index sync_log_collection_version;
    drop index applications_event_status;
    alter table applications set (fillfactor = 90);
    create index mails_account on mails (user_id) where user_id is not null;
    drop index mails_user;
    alter table rate_limits set unlogged;
    alter table application_decisions
      drop constraint application_decisions_pkey,
      drop constraint application_decisions_application_id_decision_number_key,
      add primary key (application_id, decision_number);
    drop index audit_log_age;
    alter table idempotency_keys set (fillfactor = 90)`,
  },
]

/** Changes are expanded and later contracted: an old server must work beside a new one. */
async function down(): Promise<void> {
  throw new Error('Migrations only go forward: write a new one that undoes the change')
}

export const migrationSource: Knex.MigrationSource<NamedMigration> = {
  getMigrations: async () => migrations,
  getMigrationName: ({ name }) => name,
  getMigration: async ({ sql }) => ({ up: async (db) => void (await db.raw(sql)), down }),
}
