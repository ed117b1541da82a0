import type { Knex } from 'knex'

/**
 * Decisions update applications and stored answers in place. Public documents are found by id alone. What is spent of
 * allowances is in no log: after a crash of the database it counts anew.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
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
    alter table idempotency_keys set (fillfactor = 90)`)
}
