import type { Knex } from 'knex'
import { EXIT_CONFIG, loadConfig } from '../../sync-server/config.ts'
import { startEmbeddedPostgres } from '../../sync-server/db/embedded/embedded-postgres.ts'
import { createKnex, type KnexOptions } from '../../sync-server/db/knex-config.ts'
import { DatabaseUnusable } from '../../sync-server/db/reach-database.ts'
import type { Ended, Environment } from './command.ts'

/** Works on the configured database, embedded or not, without a pooler. A running server keeps running. */
export async function onConfiguredDatabase(
  env: Environment,
  options: KnexOptions,
  command: (db: Knex) => Promise<Ended>,
): Promise<Ended> {
  const loaded = loadConfig(env)
  if (!loaded.ok) return { status: EXIT_CONFIG, output: `${loaded.errors.join('\n')}\n` }
  const { databaseUrl, databaseDirectUrl, dataDir } = loaded.config
  const url = databaseDirectUrl ?? databaseUrl
  try {
    const embedded = url === null ? await startEmbeddedPostgres({ dataDir, log: () => undefined }) : undefined
    const db = createKnex(url ?? embedded?.connectionString ?? '', options)
    try {
      return await command(db)
    } finally {
      await db.destroy()
      await embedded?.stop()
    }
  } catch (error) {
    if (!(error instanceof DatabaseUnusable)) throw error
    return { status: error.isSetting ? EXIT_CONFIG : 1, output: `${error.message}\n` }
  }
}
