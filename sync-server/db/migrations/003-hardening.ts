import type { Knex } from 'knex'

/** What was true by habit is held by the database, and an event knows which subscription it was paid from. */
export async function up(db: Knex): Promise<void> {
  await db.raw(auditIsAppendOnly)
  await db.raw(tombstonesByAge)
  await db.raw(alertsBelongToSessions)
  await db.raw(eventsKnowTheirSubscription)
}

// A statement trigger also meets statements that touch no row, and TRUNCATE.
const auditIsAppendOnly = `
create or replace function audit_log_refuses() returns trigger language plpgsql as $$
begin
  raise exception 'audit_log is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function audit_log_refuses();
`

const tombstonesByAge = `
create index sync_log_tombstones on sync_log (updated_at) where deleted;
`

// Subscriptions of before join the session their device uses now; the app repeats them in the session it is in.
const alertsBelongToSessions = `
update push_subscriptions p set session_id_hash = (
  select s.id_hash from sessions s
  where s.user_id = p.user_id and s.device_id = p.device_id and s.revoked_at is null
  order by s.last_seen_at desc limit 1
) where session_id_hash is null;
alter table push_subscriptions
  drop constraint push_subscriptions_session_id_hash_fkey,
  add constraint push_subscriptions_session_id_hash_fkey foreign key (session_id_hash) references sessions on delete cascade;
create index push_subscriptions_session on push_subscriptions (session_id_hash);
`

// Events of before were taken from the newest subscription in use when they were made, as far as anyone can know.
const eventsKnowTheirSubscription = `
alter table events add column subscription_id integer references user_subscriptions on delete set null;
update events e set subscription_id = (
  select s.id from user_subscriptions s
  where s.user_id = e.organizer_id and s.events_used > 0 and s.created_at <= e.created_at
  order by s.created_at desc, s.id desc limit 1
);
`
