import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import { Client, type ClientConfig } from 'pg'

/** The message speaks to the operator and never names the password. */
export class DatabaseUnusable extends Error {
  override readonly name = 'DatabaseUnusable'
  /** It is false when the trouble may pass without help. */
  readonly isSetting: boolean

  constructor(message: string, { isSetting = false, cause }: { isSetting?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.isSetting = isSetting
  }
}

export type Patiently = <T>(work: () => Promise<T>) => Promise<T>

interface Patience {
  readonly waitMs: number
  readonly say?: (line: string) => void
  readonly sayAfterMs?: number
}

const askAgainMs = 250

/**
 * Repeats work, which does nothing by halves, that fails because the database did not answer.
 * @throws DatabaseUnusable when the time is over; at once for what no waiting changes
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
// PostgreSQL reports these while it starts or stops, from a standby that takes no writes yet, without a free
// connection, or when a busy machine reaches a time limit.
const postgresCodes = ['25006', '57P01', '57P02', '57P03', '53300', '57014', '55P03', '25P03']
const passingCodes = new Set([...systemCodes, ...postgresCodes])
/** pg and knex report these errors without a code. */
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

/** For several addresses of one name the first error is enough. */
const firstOf = (error: unknown) =>
  ((error instanceof AggregateError ? error.errors[0] : error) ?? {}) as { code?: string; message?: string }

const needsDirectConnection = (setting: string) =>
  `${setting}: this address leads through a pooler that lends a connection for one transaction at a time (such as PgBouncer with pool_mode = transaction). LISTEN, by which phones hear of changes, and the lock under which migrations run need a direct connection: name the address of PostgreSQL itself, or of a pooler with pool_mode = session, in DATABASE_DIRECT_URL.`

/** What every pool connection asks for; the values here mean nothing. */
const sessionSettings = { statement_timeout: 1_000, lock_timeout: 1_000, idle_in_transaction_session_timeout: 1_000 }

/** @throws DatabaseUnusable when the database cannot be reached or refuses; a later break shows in the next query */
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
  // 28… means not let in, 3D000 that there is no such database, and 08P01 that it was refused before it began.
  const isSetting = code?.startsWith('28') === true || code === '3D000' || code === '08P01'
  const remedy = message?.startsWith('unsupported startup parameter')
    ? `. Let the pooler pass that: ignore_startup_parameters = ${Object.keys(sessionSettings).join(', ')}`
    : ''
  return new DatabaseUnusable(
    `The database ${database ?? ''} at ${host}:${port} cannot be used: ${message || code}${remedy}`,
    { isSetting, cause: error },
  )
}

/**
 * Two open connections with one server process, or one connection with several, reveal a transaction pooler. Asked
 * before anything is locked: a session lock taken through a pooler stays behind.
 * @param setting names the address to the operator
 * @throws DatabaseUnusable also when the settings of our sessions are refused
 */
export async function requireDirectConnection(connectionString: string, setting: string): Promise<void> {
  const clients: Client[] = []
  try {
    while (clients.length < 2) clients.push(await connectTo(connectionString, 'beaconry-start'))
    const processes: number[] = []
    for (const client of [...clients, ...clients]) processes.push(await processOf(client))
    const [first, second, third, fourth] = processes
    if (first === second || first !== third || second !== fourth)
      throw new DatabaseUnusable(needsDirectConnection(setting), { isSetting: true })
  } finally {
    for (const client of clients) await client.end()
  }
  await (await connectTo(connectionString, 'beaconry-start', sessionSettings)).end()
}

/** The time limits that the pool's connections lack, such as through a pooler that sets none. */
export async function findMissingTimeLimits(db: Knex): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select name from unnest(?::text[]) name where current_setting(name) = '0'`,
    [Object.keys(sessionSettings) as unknown as Knex.Value],
  )
  return rows.map(({ name }) => name)
}

async function processOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}
