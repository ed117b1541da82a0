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

// Failures reach the caller as errors; knex's console lines would break up the log.
const silent = { warn: () => undefined, error: () => undefined, debug: () => undefined, deprecate: () => undefined }

interface Result {
  rows?: readonly object[]
}

interface Answered {
  response?: Result | Result[]
  output?: unknown
}

/**
 * Hands out rows in camelCase, those of `raw` too. knex's `postProcessResponse` does not serve: it runs after `pluck` has
 * read its column and cannot tell rows from plucked `jsonb` values. The migrator switches `wrapIdentifier` off for its own
 * tables.
 */
class CamelCaseClient extends PostgresClient {
  override processResponse(query: Answered, runner: unknown): unknown {
    if (this.config.wrapIdentifier && query.output === undefined) {
      for (const result of [query.response ?? []].flat()) if (result.rows) result.rows = toCamelCase(result.rows)
    }
    return super.processResponse(query, runner)
  }
}

export interface KnexOptions {
  /** 10 by default. */
  poolSize?: number
  /** Milliseconds; 0 for no limit, 20,000 by default. */
  statementTimeoutMs?: number
  applicationName?: string
}

export function knexConfig(connectionString: string, options: KnexOptions = {}): Knex.Config {
  const { poolSize = 10, statementTimeoutMs = 20_000, applicationName = 'beaconry' } = options
  return {
    client: CamelCaseClient,
    wrapIdentifier: (name, quoted) => quoted(columnOf(name)),
    log: silent,
    connection: {
      connectionString,
      types: columnTypes,
      application_name: applicationName,
      statement_timeout: statementTimeoutMs,
      lock_timeout: Math.min(statementTimeoutMs, 10_000),
      idle_in_transaction_session_timeout: 30_000,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    } as Knex.PgConnectionConfig,
    // No idle minimum, so that connections that died with a restarted server are not handed out for long.
    pool: { min: 0, max: poolSize, idleTimeoutMillis: 30_000 },
    acquireConnectionTimeout: 10_000,
  }
}

export function createKnex(connectionString: string, options: KnexOptions = {}): Knex {
  return knex(knexConfig(connectionString, options))
}

/** For clients that need a connection of their own (LISTEN, locks). */
export function connectionStringOf(db: Knex): string {
  const { connection } = db.client.config as { connection: { connectionString: string } }
  return connection.connectionString
}
