import type { Knex } from 'knex'
import * as schema from './001-schema.ts'

interface NamedMigration {
  name: string
  up: (db: Knex) => Promise<void>
}

/**
 * In order. A released entry is never renamed, reordered or edited: knex compares the names with those in the
 * database, and they carry no file extension so that source and bundle agree.
 */
const migrations: NamedMigration[] = [{ name: '001-schema', up: schema.up }]

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
