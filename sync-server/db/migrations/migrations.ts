import type { Knex } from 'knex'
import * as initial from './001-initial.ts'
import * as plans from './002-plans.ts'
import * as hardening from './003-hardening.ts'
import * as payments from './004-payments.ts'
import * as marks from './005-marks.ts'
import * as accounts from './007-accounts.ts'
import * as mails from './008-mails.ts'
import * as stripe from './009-stripe.ts'
import * as accountLinks from './010-account-links.ts'
import * as alerts from './011-alerts.ts'
import * as operation from './012-operation.ts'
import * as mailPreferences from './013-mail-preferences.ts'
import * as feedHistory from './020-feed-history.ts'
import * as guessing from './030-guessing.ts'
import * as auditRetention from './031-audit-retention.ts'
import * as demoRows from './035-demo-rows.ts'
import * as mailsOfOrganizers from './040-mails-of-organizers.ts'
import * as notesAndChanges from './041-notes-and-changes.ts'
import * as eventNumberSecret from './045-event-number-secret.ts'
import * as wentBack from './046-went-back.ts'
import * as cameTo from './047-came-to.ts'
import * as namesInMails from './048-names-in-mails.ts'
import * as madeLive from './049-made-live.ts'
import * as decisionsADay from './055-decisions-a-day.ts'
import * as givenIds from './060-given-ids.ts'

interface NamedMigration {
  name: string
  up: (db: Knex) => Promise<void>
}

/**
 * In order. A released entry is never renamed, reordered or edited: knex compares the names with those in the
 * database, and they carry no file extension so that source and bundle agree.
 */
const migrations: NamedMigration[] = [
  { name: '001-initial', up: initial.up },
  { name: '002-plans', up: plans.up },
  { name: '003-hardening', up: hardening.up },
  { name: '004-payments', up: payments.up },
  { name: '005-marks', up: marks.up },
  { name: '007-accounts', up: accounts.up },
  { name: '008-mails', up: mails.up },
  { name: '009-stripe', up: stripe.up },
  { name: '010-account-links', up: accountLinks.up },
  { name: '011-alerts', up: alerts.up },
  { name: '012-operation', up: operation.up },
  { name: '013-mail-preferences', up: mailPreferences.up },
  { name: '020-feed-history', up: feedHistory.up },
  { name: '030-guessing', up: guessing.up },
  { name: '031-audit-retention', up: auditRetention.up },
  { name: '035-demo-rows', up: demoRows.up },
  { name: '040-mails-of-organizers', up: mailsOfOrganizers.up },
  { name: '041-notes-and-changes', up: notesAndChanges.up },
  { name: '045-event-number-secret', up: eventNumberSecret.up },
  { name: '046-went-back', up: wentBack.up },
  { name: '047-came-to', up: cameTo.up },
  { name: '048-names-in-mails', up: namesInMails.up },
  { name: '049-made-live', up: madeLive.up },
  { name: '055-decisions-a-day', up: decisionsADay.up },
  { name: '060-given-ids', up: givenIds.up },
]

/** Changes are expanded and later contracted by new migrations; an old server must go on working beside a new one. */
async function down(): Promise<void> {
  throw new Error('Migrations only go forward: write a new one that undoes the change')
}

/** The migrations as knex wants them; the same at start and for the knex command. */
export const migrationSource: Knex.MigrationSource<NamedMigration> = {
  getMigrations: async () => migrations,
  getMigrationName: ({ name }) => name,
  getMigration: async ({ up }) => ({ up, down }),
}
