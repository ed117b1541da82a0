import type { Knex } from 'knex'

/** Without the status in an index, decisions update applications in place. Public documents are found by id alone. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create unique index sync_log_version on sync_log (scope, collection, version) where scope <> 'public';
    drop index sync_log_version_unique;
    drop index sync_log_collection_version;
    drop index applications_event_status;
    alter table applications set (fillfactor = 90);
    create index mails_account on mails (user_id) where user_id is not null;
    drop index mails_user`)
}
