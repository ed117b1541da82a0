import type { Knex } from 'knex'
import { afterAll, inject } from 'vitest'
import { createKnex, type KnexOptions } from '../db/knex-config.ts'
import { cloneTemplate } from './template-database.ts'

export interface TestDatabase {
  db: Knex
  connectionString: string
  /** Closes `db` and drops the database, whoever is still connected. */
  drop(): Promise<void>
}

/** An empty, migrated database; needs the run's global setup. */
export async function createTestDatabase(options: KnexOptions = {}): Promise<TestDatabase> {
  const clone = await cloneTemplate({ adminUrl: inject('databaseAdminUrl'), template: inject('databaseTemplate') })
  const db = createKnex(clone.connectionString, options)
  return {
    db,
    connectionString: clone.connectionString,
    drop: async () => {
      await db.destroy()
      await clone.drop()
    },
  }
}

/** One for the tests of the calling file, dropped after them. */
export async function setTestDatabase(options: KnexOptions = {}): Promise<TestDatabase> {
  const database = await createTestDatabase(options)
  afterAll(() => database.drop())
  return database
}
