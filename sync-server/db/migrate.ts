import type { Knex } from 'knex'
import { Client } from 'pg'
import { connectionStringOf, createKnex } from './knex-config.ts'
import { migrationSource } from './migrations/migrations.ts'

/** Any number will do as long as every version of the server uses the same one. */
export const MIGRATION_LOCK = 7_326_541

/**
 * Brings the database up to the newest migration and answers the names that ran, in order.
 * Processes that start together take turns: an advisory lock on a connection of its own admits one, and vanishes with
 * its process. Inside it knex's own lock row can only be the remains of a killed process, so it is freed first.
 */
export async function migrate(db: Knex): Promise<string[]> {
  const connectionString = connectionStringOf(db)
  const gate = new Client({ connectionString, application_name: 'beaconry-migrate' })
  // The connection's end releases the lock; an error on it surfaces in the next query.
  gate.on('error', () => undefined)
  await gate.connect()
  try {
    await gate.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    const migrator = createKnex(connectionString, {
      poolSize: 2,
      statementTimeoutMs: 0,
      applicationName: 'beaconry-migrate',
    })
    try {
      await migrator.migrate.forceFreeMigrationsLock({ migrationSource })
      const [, names] = (await migrator.migrate.latest({ migrationSource })) as [number, string[]]
      return names
    } finally {
      await migrator.destroy()
    }
  } finally {
    await gate.end()
  }
}

/** Whether every known migration has run: what readiness asks. Throws when the database cannot be reached. */
export async function isMigrated(db: Knex): Promise<boolean> {
  const [, pending] = (await db.migrate.list({ migrationSource })) as [unknown[], unknown[]]
  return pending.length === 0
}
