import type { Knex } from 'knex'

/**
 * The change feed gets an identity beside its version, so that a database that was brought back to an earlier moment is
 * noticed even when its versions have caught up; and an application gets one beside its number, which a database that
 * went back gives out a second time.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(history)
  await db.raw(identity)
  await db.raw(targets)
  await db.raw(origins)
  await db.raw(secrets)
  await db.raw(documents)
}

// One row per transaction and scope; `mark` is random, so the same version of two histories has two marks.
const history = `
create table sync_history (
  scope text not null,
  version bigint not null,
  mark text not null default right(gen_random_uuid()::text, 12),
  made_at timestamptz not null default now(),
  primary key (scope, version)
);
insert into sync_history (scope, version) select scope, version from sync_scope where version > 0;
`

const identity = `
alter table sync_epoch add column database_identity text;
`

// What a key's change was about, without its content. Null where the key was stored before.
const targets = `
alter table idempotency_keys add column target text;
`

// Links in mails name the number; those that are out in the world are signed for it alone.
const origins = `
alter table applications
  add column origin uuid not null default gen_random_uuid(),
  add column signed_by_number boolean not null default false;
update applications set signed_by_number = true;
create index applications_origin on applications (origin);
`

// Made here and not when first needed, so that every backup holds them.
const secrets = `
insert into installation_secrets (name, secret)
select name, replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
from unnest(array['application-link', 'application-receipt']) as names (name)
on conflict (name) do nothing;
`

// In place, without a new version: an app that knows the new field keeps its copy under another name and pulls it anew.
const documents = `
update sync_log l set body = (l.body::jsonb || jsonb_build_object('origin', a.origin))::text
from applications a
where l.collection = 'applications' and not l.deleted and a.id = l.doc_id::integer;
`
