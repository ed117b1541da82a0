import type { Knex } from 'knex'
import { inject } from 'vitest'
import { createKnex, type KnexOptions } from '../db/knex-config.ts'
import { cloneTemplate } from './template-database.ts'

export interface TestDatabase {
  db: Knex
  connectionString: string
  /** Closes `db` and drops the database, whoever is still connected. */
  drop(): Promise<void>
}

/** An empty, migrated database of its own for a test file; needs the run's global setup. */
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
