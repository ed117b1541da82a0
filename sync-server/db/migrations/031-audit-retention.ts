import type { Knex } from 'knex'

/** Audit lines are kept for two years: until then nobody can take one away, afterwards they may be purged. */
export async function up(db: Knex): Promise<void> {
  await db.raw(lettingGoOfOldLines)
}

// The age is asked of the database's own clock and of each line, so that nothing a session sets opens it. Changing a line
// and emptying the table stay forbidden altogether.
const lettingGoOfOldLines = `
create or replace function audit_log_refuses() returns trigger language plpgsql as $$
begin
  raise exception 'audit_log is append-only' using errcode = 'insufficient_privilege';
end $$;
create or replace function audit_log_keeps() returns trigger language plpgsql as $$
begin
  if old.at >= now() - interval '2 years' then
    raise exception 'audit_log is append-only' using errcode = 'insufficient_privilege';
  end if;
  return old;
end $$;
drop trigger if exists audit_log_append_only on audit_log;
create trigger audit_log_unchanged before update or truncate on audit_log
  for each statement execute function audit_log_refuses();
create trigger audit_log_kept before delete on audit_log
  for each row execute function audit_log_keeps();
create index audit_log_age on audit_log using brin (at);
`
