import type { Knex } from 'knex'
import { EXIT_CONFIG, loadConfig, readEnvironment, type Config } from '../../config.ts'
import { startEmbeddedPostgres } from '../../db/embedded-postgres.ts'
import { createKnex, type KnexOptions } from '../../db/knex-config.ts'
import { DatabaseUnusable } from '../../db/reach-database.ts'

/** Exit status for a command that was written wrongly (EX_USAGE of sysexits.h). */
export const EXIT_USAGE = 64

/**
 * Runs a command on the database this folder is configured for, embedded or not, and answers its exit status. A server
 * that is running meanwhile keeps running.
 */
export async function onConfiguredDatabase(
  options: KnexOptions,
  command: (db: Knex) => Promise<number>,
): Promise<number> {
  const loaded = loadConfig(readEnvironment())
  if (!loaded.ok) {
    process.stderr.write(`${loaded.errors.join('\n')}\n`)
    return EXIT_CONFIG
  }
  const { databaseUrl, dataDir } = loaded.config
  try {
    return await onDatabase({ databaseUrl, dataDir }, options, command)
  } catch (error) {
    if (!(error instanceof DatabaseUnusable)) throw error
    process.stderr.write(`${error.message}\n`)
    return error.isSetting ? EXIT_CONFIG : 1
  }
}

async function onDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  options: KnexOptions,
  command: (db: Knex) => Promise<number>,
): Promise<number> {
  const embedded = databaseUrl === null ? await startEmbeddedPostgres({ dataDir, log: () => undefined }) : undefined
  const db = createKnex(databaseUrl ?? embedded?.connectionString ?? '', options)
  try {
    return await command(db)
  } finally {
    await db.destroy()
    await embedded?.stop()
  }
}
