import { setTimeout as delay } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'

/** Why the server cannot work with its database, in words for the operator; never with the password. */
export class DatabaseUnusable extends Error {
  override readonly name = 'DatabaseUnusable'
  /** Whether a setting has to be changed; otherwise it may pass by itself. */
  readonly isSetting: boolean

  constructor(message: string, { isSetting = false, cause }: { isSetting?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.isSetting = isSetting
  }
}

/** Does something with the database once it answers. */
export type Patiently = <T>(work: () => Promise<T>) => Promise<T>

interface Patience {
  /** How long a start waits in all for a database that does not answer. */
  readonly waitMs: number
  /** Told once, in one line, when something takes long. */
  readonly say?: (line: string) => void
  readonly sayAfterMs?: number
}

const askAgainMs = 250

/**
 * Does things with a database that may come up at this moment, such as after a reboot, or whose machine is busy: what
 * fails because it was not answered is done again, so it must do nothing by halves. One patience is for one start.
 * @throws DatabaseUnusable when the time is over; at once what no waiting changes
 */
export function createPatience({ waitMs, say, sayAfterMs = 3_000 }: Patience): Patiently {
  const begunAt = Date.now()
  let hasSaid = false
  const sayOnce = () => {
    if (!hasSaid) say?.(`The database is not ready yet; waiting for it, at most ${Math.round(waitMs / 1000)} s.`)
    hasSaid = true
  }
  return async (work) => {
    const timer = setTimeout(sayOnce, sayAfterMs)
    try {
      for (;;) {
        try {
          return await work()
        } catch (error) {
          if (!mayPass(error)) throw error
          if (Date.now() - begunAt >= waitMs) throw asUnusable(error)
          await delay(askAgainMs)
        }
      }
    } finally {
      clearTimeout(timer)
    }
  }
}

const systemCodes = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN', 'ENOTFOUND']
// Starting or stopping, no connection free, a limit of time that a busy machine reaches.
const postgresCodes = ['57P01', '57P02', '57P03', '53300', '57014', '55P03', '25P03']
const passingCodes = new Set([...systemCodes, ...postgresCodes])
/** What pg and knex say without a code. */
const notAnswered = /timeout expired|Connection terminated|Timeout acquiring a connection/

function mayPass(error: unknown): boolean {
  const { code, message = '' } = firstOf(error instanceof DatabaseUnusable ? error.cause : error)
  return passingCodes.has(code ?? '') || notAnswered.test(message)
}

function asUnusable(error: unknown): DatabaseUnusable {
  if (error instanceof DatabaseUnusable) return error
  const { message, code } = firstOf(error)
  return new DatabaseUnusable(`The database did not answer in time: ${message || code}`, { cause: error })
}

/** Several addresses of one name were tried: the first tells enough. */
const firstOf = (error: unknown) =>
  ((error instanceof AggregateError ? error.errors[0] : error) ?? {}) as { code?: string; message?: string }

const needsDirectConnection =
  'DATABASE_URL: this address leads through a pooler that lends a connection for one transaction at a time (such as PgBouncer with pool_mode = transaction). LISTEN, by which phones hear of changes, and the lock under which migrations run need a direct connection: name the address of PostgreSQL itself, or of a pooler with pool_mode = session.'

/** What every connection of the server's pool asks for at its beginning; here with values that mean nothing. */
const sessionSettings = { statement_timeout: 1_000, lock_timeout: 1_000, idle_in_transaction_session_timeout: 1_000 }

/**
 * Opens a connection of its own. @throws DatabaseUnusable when the database cannot be reached or does not let us in.
 * A connection that breaks later says so in its next query.
 */
export async function connectTo(
  connectionString: string,
  applicationName: string,
  settings: ClientConfig = {},
): Promise<Client> {
  const client = new Client({
    connectionTimeoutMillis: 10_000,
    ...settings,
    connectionString,
    application_name: applicationName,
    keepAlive: true,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw unreachable(connectionString, error)
  }
}

function unreachable(connectionString: string, error: unknown): DatabaseUnusable {
  const { host, port, database } = new Client({ connectionString })
  const { code, message } = firstOf(error)
  // 28…: not let in; 3D000: no such database; 08P01: refused before it began.
  const isSetting = code?.startsWith('28') === true || code === '3D000' || code === '08P01'
  // PgBouncer's word, and the name of its setting for it.
  const remedy = message?.startsWith('unsupported startup parameter')
    ? `. Let the pooler pass that: ignore_startup_parameters = ${Object.keys(sessionSettings).join(', ')}`
    : ''
  return new DatabaseUnusable(
    `The database ${database ?? ''} at ${host}:${port} cannot be used: ${message || code}${remedy}`,
    { isSetting, cause: error },
  )
}

/**
 * Makes sure that a connection is one session of PostgreSQL, not a turn in a pooler's: two connections that are open
 * together and have one server process, or a connection that has several, tell a pooler. It is asked before anything is
 * locked, for a session lock taken through one stays behind. Then, that the settings of our sessions are taken.
 * @throws DatabaseUnusable
 */
export async function requireDirectConnection(connectionString: string): Promise<void> {
  const one = await connectTo(connectionString, 'beaconry-start')
  try {
    const other = await connectTo(connectionString, 'beaconry-start')
    try {
      const [first, second, third, fourth] = [
        await processOf(one),
        await processOf(other),
        await processOf(one),
        await processOf(other),
      ]
      if (first === second || first !== third || second !== fourth)
        throw new DatabaseUnusable(needsDirectConnection, { isSetting: true })
    } finally {
      await other.end()
    }
  } finally {
    await one.end()
  }
  await (await connectTo(connectionString, 'beaconry-start', sessionSettings)).end()
}

async function processOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}
