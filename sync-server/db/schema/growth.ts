/**
 * What keeps lists, jobs, clean-up and deletions from reading whole tables. `archived_for` and `purged_for` hold the
 * `end_date` for which that was done, so that an event that is moved is due again; `reminded_for` holds the start of
 * which its Beacons were reminded. Lists and their order are those of `../../events/list-events.ts`. Two indexes give way
 * to others of the same cost: an applicant is looked for at one event or at all, a mailbox in one kind of mail or in all.
 */
export const growth = `
alter table events add column archived_for date, add column purged_for date, add column reminded_for timestamptz;
create index events_listed on events (start_date, (plain_text(name) collate "C"), id)
  where visibility is null and taken_down_at is null;
create index events_listed_in_state on events (state, start_date, (plain_text(name) collate "C"), id)
  where visibility is null and taken_down_at is null;
create index events_running on events using gist (daterange(start_date, end_date, '[]'))
  where visibility is null and taken_down_at is null;
create index events_near on events using gist (point(longitude, latitude), daterange(start_date, end_date, '[]'))
  where visibility is null and taken_down_at is null;
create index events_to_archive on events (archived_for, end_date) where archived_for is distinct from end_date;
create index events_to_purge on events (end_date) where purged_for is distinct from end_date;
create index events_subscription on events (subscription_id) where subscription_id is not null;

drop index applications_event_email_unique;
create unique index applications_email_event_unique on applications (lower(email), event_id) where email <> '';
create index applications_note_by on applications (note_by) where note_by is not null;
create index applications_other_notes on applications using gin (other_notes jsonb_path_ops) where other_notes <> '[]';
create index application_decisions_by on application_decisions (decided_by) where decided_by is not null;

drop index mails_of_kind_and_mailbox;
create index mails_mailbox on mails (regexp_replace(lower(to_address), '\\+[^@]*@', '@'), kind) where user_id is null;
drop index mails_counted;
create index mails_organizer on mails (organizer_id, handed_over_at) where organizer_id is not null;
create index mails_ended on mails (updated_at) where state in ('sent', 'failed', 'cancelled');
create index messages_written_by on messages (written_by) where written_by is not null;

create index jobs_alerting on jobs (((payload->>'eventId')::bigint), state) where kind = 'new-application-push';
create index jobs_resetting on jobs (((payload->>'userId')::bigint)) where kind = 'password-reset';
create index jobs_failing on jobs (id) where last_error is not null;
create index jobs_ended on jobs (updated_at) where state in ('done', 'cancelled');

create index idempotency_keys_visitors_refusals on idempotency_keys (created_at)
  where refusal <> 'cancelled' and scope like 'device:%';
create index sessions_revoked on sessions (revoked_at) where revoked_at is not null;
create index failed_sign_ins_user on failed_sign_ins (user_id) where user_id is not null;
create index payments_subscription on payments (subscription_id) where subscription_id is not null;
create index stripe_events_payment on stripe_events (payment_id) where payment_id is not null;
create index rate_limits_expire on rate_limits (expire);
`
