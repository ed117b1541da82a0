import knex, { type Knex } from 'knex'
import PostgresClient from 'knex/lib/dialects/postgres/index.js'
import { TypeOverrides } from 'pg'
import { columnOf, toCamelCase } from './column-names.ts'

const DATE = 1082
const TIME = 1083
const BIGINT = 20

/**
 * `date` stays 'YYYY-MM-DD' (a Date would move the day in some zones), `time` is 'HH:MM', `bigint` is a number and throws
 * rather than losing digits. Give it to every pg client made by hand.
 */
export const columnTypes = new TypeOverrides()
columnTypes.setTypeParser(DATE, (text: string) => text)
columnTypes.setTypeParser(TIME, (text: string) => text.slice(0, 5))
columnTypes.setTypeParser(BIGINT, (text: string) => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a number`)
  return value
})

// Failures reach the caller as errors.
const silent = { warn: () => undefined, error: () => undefined, debug: () => undefined, deprecate: () => undefined }

interface Result {
  rows?: readonly object[]
}

interface Answered {
  response?: Result | Result[]
  output?: unknown
}

/**
 * Hands out rows in camelCase, those of `raw` too. knex's `postProcessResponse` does not serve: it runs after `pluck`
 * and cannot tell rows from plucked `jsonb` values. The migrator switches `wrapIdentifier` off for its own tables.
 */
class CamelCaseClient extends PostgresClient {
  override processResponse(query: Answered, runner: unknown): unknown {
    if (this.config.wrapIdentifier && query.output === undefined) {
      for (const result of [query.response ?? []].flat()) if (result.rows) result.rows = toCamelCase(result.rows)
    }
    return super.processResponse(query, runner)
  }
}

interface PoolConfig extends Knex.Config {
  connection: { connectionString: string }
  directUrl: string | null
}

export interface KnexOptions {
  /** The default is 10. */
  poolSize?: number
  /** The limit is in milliseconds. 0 means none, and the default is 20,000. */
  statementTimeoutMs?: number
  applicationName?: string
  /**
   * The database without the pooler of `connectionString`, which lends a connection for one transaction: nothing that
   * belongs to a session is asked of it.
   */
  directUrl?: string | null
}

export function knexConfig(connectionString: string, options: KnexOptions = {}): Knex.Config {
  const { poolSize = 10, statementTimeoutMs = 20_000, applicationName = 'beaconry', directUrl = null } = options
  const timeLimits = {
    // As text, for pg does not send the number 0, and the role may have a limit of its own.
    statement_timeout: String(statementTimeoutMs),
    lock_timeout: String(Math.min(statementTimeoutMs, 10_000)),
    idle_in_transaction_session_timeout: 30_000,
  }
  const config: Omit<PoolConfig, 'connection'> & { connection: object } = {
    client: CamelCaseClient,
    directUrl,
    wrapIdentifier: (name, quoted) => quoted(columnOf(name)),
    log: silent,
    connection: {
      connectionString,
      types: columnTypes,
      application_name: applicationName,
      // A pooler passes on the role's limits instead (`findMissingTimeLimits`).
      ...(directUrl === null ? timeLimits : {}),
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    },
    // No idle minimum: connections that died with a restarted server are not handed out for long.
    pool: { min: 0, max: poolSize, idleTimeoutMillis: 30_000 },
    acquireConnectionTimeout: 10_000,
  }
  return config
}

export function createKnex(connectionString: string, options: KnexOptions = {}): Knex {
  return knex(knexConfig(connectionString, options))
}

export function connectionStringOf(db: Knex): string {
  return (db.client.config as PoolConfig).connection.connectionString
}

/** Says whether a pooler lends a connection for each transaction. */
export const isPooled = (db: Knex): boolean => (db.client.config as PoolConfig).directUrl !== null

/** For what needs a session of its own (LISTEN, locks) or may not wait for the pool, and the setting that names it. */
export function directConnectionOf(db: Knex): { connectionString: string; setting: string } {
  const { directUrl } = db.client.config as PoolConfig
  return directUrl === null
    ? { connectionString: connectionStringOf(db), setting: 'DATABASE_URL' }
    : { connectionString: directUrl, setting: 'DATABASE_DIRECT_URL' }
}
