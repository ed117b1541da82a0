import type { Knex } from 'knex'

/** Ids of 12 digits, made by what creates them: no number is leased any more, and every id column takes them. */
export async function up(db: Knex): Promise<void> {
  await db.raw('drop table event_id_leases')
  await db.raw(`delete from installation_secrets where name = 'event-number-lease'`)
  await db.raw(`
    do $$
    declare found record;
    begin
      for found in
        select table_name, column_name from information_schema.columns
        where table_schema = current_schema() and data_type = 'integer' and (column_name = 'id' or column_name like '%\\_id')
      loop
        execute format('alter table %I alter column %I type bigint', found.table_name, found.column_name);
      end loop;
    end $$`)
  // An event's deletion empties these after its applications have gone: PostgreSQL goes through constraints as they were made.
  await db.raw(`
    alter table mails drop constraint mails_event_id_fkey, drop constraint mails_application_id_fkey;
    alter table mails add foreign key (event_id) references events on delete set null,
      add foreign key (application_id) references applications on delete set null`)
}
