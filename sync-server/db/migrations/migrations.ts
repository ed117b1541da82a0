import type { Knex } from 'knex'
import * as schema from './001-schema.ts'
import * as historyId from './002-history-id.ts'
import * as host from './003-host.ts'
import * as coming from './004-coming.ts'
import * as cover from './005-cover.ts'
import * as pictures from './006-pictures.ts'
import * as views from './007-views.ts'
import * as takenDown from './008-taken-down.ts'
import * as archived from './009-archived.ts'
import * as browserErrors from './010-browser-errors.ts'
import * as accountDeletion from './011-account-deletion.ts'
import * as siteSettings from './012-site-settings.ts'
import * as fewerWrites from './013-fewer-writes.ts'

export interface NamedMigration {
  name: string
  up: (db: Knex) => Promise<void>
}

/**
 * A released entry is never renamed, reordered or edited: knex compares names with the database. Without file
 * extension, so that source and bundle agree.
 */
const migrations: NamedMigration[] = [
  { name: '001-schema', up: schema.up },
  { name: '002-history-id', up: historyId.up },
  { name: '003-host', up: host.up },
  { name: '004-coming', up: coming.up },
  { name: '005-cover', up: cover.up },
  { name: '006-pictures', up: pictures.up },
  { name: '007-views', up: views.up },
  { name: '008-taken-down', up: takenDown.up },
  { name: '009-archived', up: archived.up },
  { name: '010-browser-errors', up: browserErrors.up },
  { name: '011-account-deletion', up: accountDeletion.up },
  { name: '012-site-settings', up: siteSettings.up },
  { name: '013-fewer-writes', up: fewerWrites.up },
]

/** Changes are expanded and later contracted: an old server must work beside a new one. */
async function down(): Promise<void> {
  throw new Error('Migrations only go forward: write a new one that undoes the change')
}

export const migrationSource: Knex.MigrationSource<NamedMigration> = {
  getMigrations: async () => migrations,
  getMigrationName: ({ name }) => name,
  getMigration: async ({ up }) => ({ up, down }),
}
