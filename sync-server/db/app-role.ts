import { createHmac } from 'node:crypto'
import { Client } from 'pg'
import { readPassword, SUPERUSER } from './postgres-cluster.ts'

const APP_ROLE = 'beaconry_app'
const DATABASE = 'beaconry'

/** No other advisory lock of the database `postgres` may use the number. */
const PREPARE_LOCK = 7_326_540

/** Derived from the superuser's password, so that it lasts as long as the folder. */
const appPassword = (folder: string) => createHmac('sha256', readPassword(folder)).update(APP_ROLE).digest('base64url')

export function appConnection(folder: string, port: number): string {
  return `postgres://${APP_ROLE}:${appPassword(folder)}@127.0.0.1:${port}/${DATABASE}`
}

export function superuserClient(folder: string, port: number): Client {
  const client = new Client({
    host: '127.0.0.1',
    port,
    database: 'postgres',
    user: SUPERUSER,
    password: readPassword(folder),
    connectionTimeoutMillis: 10_000,
  })
  // Without a listener a connection cut by a stopping server would end this process.
  client.on('error', () => undefined)
  return client
}

/**
 * Makes the database and role where they are missing, and gives the role all of it, because earlier versions ran as the
 * superuser. Idempotent; processes that start together take turns. Throws when the server does not allow it.
 */
export async function prepareDatabase(
  superuser: Client,
  folder: string,
  createdb: 'createdb' | 'nocreatedb',
): Promise<void> {
  await superuser.query('select pg_advisory_lock($1)', [PREPARE_LOCK])
  const database = await superuser.query('select from pg_database where datname = $1', [DATABASE])
  if (database.rowCount === 0) await superuser.query(`create database ${DATABASE}`)
  const role = await superuser.query('select from pg_roles where rolname = $1', [APP_ROLE])
  if (role.rowCount === 0) await superuser.query(`create role ${APP_ROLE}`)
  await superuser.query(
    `alter role ${APP_ROLE} with login nosuperuser ${createdb} nocreaterole noreplication nobypassrls
     password ${superuser.escapeLiteral(appPassword(folder))}`,
  )
  // Without it a restore would not see other connections and might run beside an older server.
  await superuser.query(`grant pg_read_all_stats to ${APP_ROLE}`)
  await superuser.query(`alter database ${DATABASE} owner to ${APP_ROLE}`)
  await superuser.query('select pg_advisory_unlock($1)', [PREPARE_LOCK])
}
