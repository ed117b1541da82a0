import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'

/** The application never connects under this name. */
export const SUPERUSER = 'beaconry'

const APP_ROLE = 'beaconry_app'
const DATABASE = 'beaconry'

export const passwordFile = (folder: string) => path.join(folder, 'beaconry.password')

const readPassword = (folder: string) => readFileSync(passwordFile(folder), 'utf8')

/** The password is derived from the superuser's, so that it lasts as long as the folder. */
const appPassword = (folder: string) => createHmac('sha256', readPassword(folder)).update(APP_ROLE).digest('base64url')

const address = (role: string, password: string, port: number, database: string) =>
  `postgres://${role}:${password}@127.0.0.1:${port}/${database}`

export const appConnection = (folder: string, port: number) => address(APP_ROLE, appPassword(folder), port, DATABASE)

export const superuserConnection = (folder: string, port: number) =>
  address(SUPERUSER, readPassword(folder), port, 'postgres')

/**
 * Makes the role and its database in a new folder, each statement on its line. Without the statistics a restore would
 * not see other connections and might run next to an older server.
 */
export const roleStatements = (folder: string, createdb: 'createdb' | 'nocreatedb') => `\
create role ${APP_ROLE} login ${createdb} password '${appPassword(folder)}'
grant pg_read_all_stats to ${APP_ROLE}
create database ${DATABASE} owner ${APP_ROLE}
`
