import type { Knex } from 'knex'

/**
 * Fills an empty database with an installation of three years: events evenly over 950 past and 150 coming days, of the
 * last twelve months with applications, decisions, mails, jobs, keys, documents of the feed and lines of the audit. Ids
 * are the numbers of the series, so that one statement finds what another wrote.
 * @param given.applications of each event that has any, which nearly half of them have
 */
export async function fillInstallation(
  db: Knex,
  given: { readonly events: number; readonly applications: number },
): Promise<void> {
  for (const sql of statements) await db.raw(sql, given)
  await db.raw('vacuum analyze')
}

/** The oldest of the events is this many days old, and all of them cover a span of 1,100 days. */
const endDate = `(current_date - 950 + (n * 1100 / :events)::int)`
const hasApplications = `e.end_date > current_date - interval '12 months'`

const statements = [
  `insert into users (id, username, email, password_hash)
   select n, 'user' || n, 'user' || n || '@example.com', 'none' from generate_series(1000, 1000 + :events / 10) n`,
  `insert into events (id, organizer_id, name, description, start_date, end_date, start_time, end_time, location, address,
     city, state, zip_code, time_zone, latitude, longitude, beacon_incentives, sealing_key, opening_key)
   select 100000 + n, 1000 + n % (:events / 10), 'Evening ' || n % 97 || ' by the water', repeat('A text about it. ', 40),
     ${endDate} - (n % 3)::int, ${endDate}, '18:00', '21:00', 'Pier 9', '1 Harbor Way', 'Chicago',
     (array['Illinois', 'Texas', 'Oregon', 'Maine', 'Hawaii', 'Ohio', 'Utah', 'Iowa', 'Idaho', 'Nevada'])[n % 10 + 1],
     '60611', 'America/Chicago', 25 + (n * 7 % 200) / 10.0, -120 + (n * 13 % 500) / 10.0, 'Free ticket', 'sealing', 'opening'
   from generate_series(1, :events) n`,
  `insert into applications (id, event_id, first_name, last_name, email, experience, expertise, why_beacon,
     networking_style, bio, status, decision_number, decided_at, terms_accepted_at, terms_version, status_token_hash,
     created_at, archived, note, note_by)
   select e.id * 1000 + n, e.id, 'Bea', 'Moss', 'bea' || e.id * 1000 + n || '@example.com', 'First time', 'Design',
     repeat('I like people. ', 10), 'Curious', repeat('I bring people together. ', 10),
     case when n % 4 = 0 then 'pending' when n % 4 = 1 then 'rejected' else 'approved' end, least(n % 4, 1),
     case when n % 4 <> 0 then least(now(), e.end_date) end, now(), '1', 'token-' || e.id * 1000 + n,
     least(now(), e.end_date::timestamptz) - interval '20 days', n % 4 <> 0 and e.end_date < current_date - 30,
     case when n = 1 then 'Met before' end, case when n = 1 then e.organizer_id end
   from events e, generate_series(1, :applications) n where ${hasApplications}`,
  `insert into application_decisions (application_id, decision_number, from_status, to_status, by_applicant, decided_by, decided_at)
   select a.id, 1, 'pending', a.status, false, e.organizer_id, a.decided_at
   from applications a join events e on e.id = a.event_id where a.status <> 'pending'`,
  `insert into mails (kind, key, event_id, application_id, organizer_id, to_name, to_address, payload, state, send_at,
     handed_over_at, sent_at, created_at, updated_at)
   select kind, kind || ':' || a.id, a.event_id, a.id, e.organizer_id, 'Bea Moss', a.email, '{}', 'sent', at, at, at, at, at
   from (select *, least(now() - interval '2 days', created_at) as at from applications) a join events e on e.id = a.event_id,
     unnest(array['acknowledgement', 'decision']) kind
   where at > now() - interval '80 days' and (kind = 'acknowledgement' or a.status <> 'pending')`,
  `insert into jobs (kind, key, payload, state, attempts, run_at, created_at, updated_at)
   select 'send-mail', key, jsonb_build_object('mailId', id), 'done', 1, sent_at, sent_at, sent_at
   from mails where sent_at > now() - interval '29 days'`,
  `insert into jobs (kind, key, payload, state, attempts, run_at, created_at, updated_at)
   select 'new-application-push', 'push:' || id, jsonb_build_object('eventId', event_id, 'applicationIds', array[id],
     'alertedAt', created_at), 'done', 1, created_at, created_at, created_at
   from applications where created_at > now() - interval '29 days'`,
  `insert into idempotency_keys (scope, key, status, target, collection, doc_id, created_at)
   select 'device:' || id, 'key' || id, 201, 'applyAsBeacon', 'applications', id, created_at
   from applications where created_at > now() - interval '80 days'`,
  `insert into idempotency_keys (scope, key, status, target, collection, doc_id, created_at)
   select 'user:' || organizer_id, 'key' || a.id, 200, 'decideApplication', 'applications', a.id, decided_at
   from applications a join events e on e.id = a.event_id where decided_at > now() - interval '80 days'`,
  `insert into sync_log (scope, collection, doc_id, version, body, updated_at)
   select 'public', 'events', id::text, row_number() over (order by id),
     (to_jsonb(e) - 'sealing_key' - 'opening_key')::text, least(now(), end_date) from events e`,
  `insert into sync_log (scope, collection, doc_id, version, body, updated_at)
   select 'public', 'beacons', id::text, 100000000 + row_number() over (order by id),
     jsonb_build_object('id', id, 'eventId', event_id, 'bio', bio)::text, decided_at
   from applications where status = 'approved'`,
  `insert into sync_log (scope, collection, doc_id, version, body, updated_at)
   select 'org:' || e.organizer_id, 'applications', a.id::text, row_number() over (partition by e.organizer_id order by a.id),
     to_jsonb(a)::text, a.created_at
   from applications a join events e on e.id = a.event_id where not a.archived`,
  `insert into sync_scope (scope, version) select scope, max(version) from sync_log group by scope`,
  `insert into sync_history (scope, version, made_at)
   select scope, version, updated_at from sync_log where updated_at > now() - interval '90 days'`,
  `insert into audit_log (at, user_id, route, subject, status, request_id)
   select d.decided_at, d.decided_by, 'decideApplication', application_id::text, 200, 'bench'
   from application_decisions d order by d.decided_at`,
  `insert into sessions (id_hash, user_id, expires_at, absolute_expires_at, revoked_at)
   select 'session' || id, id, now() + interval '9 days', now() + interval '9 days', case when id % 2 = 0 then now() end from users`,
  // Steady state: whatever is over for long enough was archived and purged.
  `do $$ begin
     if to_regclass('event_words') is not null then
       delete from event_words where end_date < current_date - 4;
     end if;
     if exists (select from pg_attribute where attrelid = 'events'::regclass and attname = 'archived_for') then
       update events set archived_for = end_date where end_date < current_date - 30;
       update events set purged_for = end_date where end_date < current_date - interval '12 months';
     end if;
   end $$`,
]
