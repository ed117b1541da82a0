import { createHmac } from 'node:crypto'
import type { Client } from 'pg'
import { EMBEDDED_DATABASE, readPassword } from './postgres-cluster.ts'
import { clientFor } from './postgres-server.ts'

const APP_ROLE = 'beaconry_app'

/** No other advisory lock of this database may use the number. */
const PREPARE_LOCK = 7_326_540

/** Derived from the superuser's password, so that it lasts as long as the folder. */
const appPassword = (folder: string) => createHmac('sha256', readPassword(folder)).update(APP_ROLE).digest('base64url')

export function appConnection(folder: string, port: number): string {
  return `postgres://${APP_ROLE}:${appPassword(folder)}@127.0.0.1:${port}/${EMBEDDED_DATABASE}`
}

/**
 * Makes the database and role where they are missing, and gives the role all of it, because earlier versions ran as the
 * superuser. Idempotent; processes that start together take turns. Throws when the server does not allow it.
 */
export async function prepareDatabase(
  folder: string,
  port: number,
  { mayCreateDatabases }: { mayCreateDatabases: boolean },
): Promise<void> {
  await asSuperuser(folder, port, 'postgres', createDatabaseIfMissing)
  await asSuperuser(folder, port, EMBEDDED_DATABASE, async (client) => {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [PREPARE_LOCK])
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [APP_ROLE])
    if (rowCount === 0) await client.query(`create role ${APP_ROLE}`)
    await client.query(
      `alter role ${APP_ROLE} with login nosuperuser ${mayCreateDatabases ? 'createdb' : 'nocreatedb'} nocreaterole noreplication nobypassrls
       password ${client.escapeLiteral(appPassword(folder))}`,
    )
    // Without it a restore would not see other connections and might run beside an older server.
    await client.query(`grant pg_read_all_stats to ${APP_ROLE}`)
    await client.query(`alter database ${EMBEDDED_DATABASE} owner to ${APP_ROLE}`)
    await client.query('commit')
  })
}

async function createDatabaseIfMissing(client: Client): Promise<void> {
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [EMBEDDED_DATABASE])
    if (rowCount === 0) await client.query(`create database ${EMBEDDED_DATABASE}`)
  } catch (error) {
    // 42P04, or 23505 in a closer race: another process was faster.
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error
  }
}

async function asSuperuser(
  folder: string,
  port: number,
  database: string,
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const client = clientFor(folder, port, database)
  try {
    await client.connect()
    await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
