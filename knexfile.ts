import type { Knex } from 'knex'
import { loadConfig, readEnvironment } from './sync-server/config.ts'
import { knexConfig } from './sync-server/db/knex-config.ts'
import { migrationSource } from './sync-server/db/migrations.ts'

// For the knex command only: node --import tsx node_modules/knex/bin/cli.js migrate:status. The server migrates by itself.
const loaded = loadConfig(readEnvironment())
if (!loaded.ok) throw new Error(loaded.errors.join('\n'))
if (loaded.config.databaseUrl === null)
  throw new Error('Set DATABASE_URL: the knex command cannot start the embedded database')

const config: Knex.Config = { ...knexConfig(loaded.config.databaseUrl), migrations: { migrationSource } }

export default config
