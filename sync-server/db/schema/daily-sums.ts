/**
 * The rows that exist, by the day of the UTC on which they came about: what an admin's figures add up. Each statement
 * that inserts or deletes rows adds its own sum, so that no transaction waits for another's; the clean-up makes one row of
 * those of a day. Restoring a backup inserts its rows, which counts them. A payment counts as far as it was not taken
 * back, a mail while it counts as failed. `created_at` never changes.
 */
export const dailySums = `
create table daily_sums (
  day date not null,
  line text not null,
  amount bigint not null
);

create or replace function sum_rows() returns trigger language plpgsql as $$
begin
  insert into daily_sums (day, line, amount)
  select (created_at at time zone 'UTC')::date, tg_argv[0], case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed group by 1;
  return null;
end $$;
${[
  ['users', 'users'],
  ['events', 'events'],
  ['user_subscriptions', 'subscriptions'],
  ['applications', 'applications'],
]
  .map(
    ([table, line]) => `create trigger ${table}_added_are_summed after insert on ${table}
  referencing new table as changed for each statement execute function sum_rows('${line}');
create trigger ${table}_deleted_are_summed after delete on ${table}
  referencing old table as changed for each statement execute function sum_rows('${line}');
`,
  )
  .join('')}
create or replace function sum_revenue() returns trigger language plpgsql as $$
begin
  insert into daily_sums (day, line, amount)
  select (coalesce(paid_at, created_at) at time zone 'UTC')::date, 'revenue',
    sign * greatest(amount_cents - refunded_cents - disputed_cents, 0)
  from (select -1 as sign, old.* union all select 1, new.*) changed where provider = 'stripe' and status = 'paid';
  return null;
end $$;
create trigger payments_are_summed after insert or update or delete on payments
  for each row execute function sum_revenue();

create or replace function sum_failed_mails() returns trigger language plpgsql as $$
begin
  insert into daily_sums (day, line, amount)
  select (updated_at at time zone 'UTC')::date, 'mails-failed', sign
  from (select -1 as sign, old.* union all select 1, new.*) changed where state = 'failed';
  return null;
end $$;
create trigger mails_added_are_summed after insert on mails
  for each row when (new.state = 'failed') execute function sum_failed_mails();
create trigger mails_changed_are_summed after update on mails
  for each row when (old.state = 'failed' or new.state = 'failed') execute function sum_failed_mails();
create trigger mails_deleted_are_summed after delete on mails
  for each row when (old.state = 'failed') execute function sum_failed_mails();

insert into daily_sums (day, line, amount)
select (at at time zone 'UTC')::date, line, sum(amount) from (
  select 'users' as line, created_at as at, 1 as amount from users
  union all select 'events', created_at, 1 from events
  union all select 'subscriptions', created_at, 1 from user_subscriptions
  union all select 'applications', created_at, 1 from applications
  union all select 'revenue', coalesce(paid_at, created_at), greatest(amount_cents - refunded_cents - disputed_cents, 0)
    from payments where provider = 'stripe' and status = 'paid'
  union all select 'mails-failed', updated_at, 1 from mails where state = 'failed'
) happened group by 1, 2;

create index users_emptied on users (id) where password_hash = 'deleted';
create index user_subscriptions_running on user_subscriptions (end_date) include (user_id) where status = 'active';
create index payments_reserving on payments (promo_code) where promo_reserved;
`
