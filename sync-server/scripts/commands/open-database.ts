import type { Knex } from 'knex'
import { EXIT_CONFIG, loadConfig, type Config } from '../../config.ts'
import { startEmbeddedPostgres } from '../../db/embedded-postgres.ts'
import { createKnex, type KnexOptions } from '../../db/knex-config.ts'
import { DatabaseUnusable } from '../../db/reach-database.ts'
import type { Ended, Environment } from './command.ts'

/** On the configured database, embedded or not, without a pooler. A running server keeps running. */
export async function onConfiguredDatabase(
  env: Environment,
  options: KnexOptions,
  command: (db: Knex) => Promise<Ended>,
): Promise<Ended> {
  const loaded = loadConfig(env)
  if (!loaded.ok) return { status: EXIT_CONFIG, output: `${loaded.errors.join('\n')}\n` }
  const { databaseUrl, databaseDirectUrl, dataDir } = loaded.config
  try {
    return await onDatabase({ databaseUrl: databaseDirectUrl ?? databaseUrl, dataDir }, options, command)
  } catch (error) {
    if (!(error instanceof DatabaseUnusable)) throw error
    return { status: error.isSetting ? EXIT_CONFIG : 1, output: `${error.message}\n` }
  }
}

async function onDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  options: KnexOptions,
  command: (db: Knex) => Promise<Ended>,
): Promise<Ended> {
  const embedded = databaseUrl === null ? await startEmbeddedPostgres({ dataDir, log: () => undefined }) : undefined
  const db = createKnex(databaseUrl ?? embedded?.connectionString ?? '', options)
  try {
    return await command(db)
  } finally {
    await db.destroy()
    await embedded?.stop()
  }
}
