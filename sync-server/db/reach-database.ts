import { Client, type ClientConfig } from 'pg'

/** Why the server cannot work with its database, in words for whoever runs it; never with the password. */
export class DatabaseUnusable extends Error {
  override readonly name = 'DatabaseUnusable'
  /** Whether a setting has to be changed; otherwise it may pass by itself. */
  readonly isSetting: boolean

  constructor(message: string, { isSetting = false } = {}) {
    super(message)
    this.isSetting = isSetting
  }
}

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
    ...settings,
    connectionString,
    application_name: applicationName,
    connectionTimeoutMillis: 10_000,
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
  // Several addresses of one name were tried: the first tells enough.
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  const { code, message } = first as { code?: string; message?: string }
  // 28…: not let in; 3D000: no such database; 08P01: refused before it began.
  const isSetting = code?.startsWith('28') === true || code === '3D000' || code === '08P01'
  // PgBouncer's word, and the name of its setting for it.
  const remedy = message?.startsWith('unsupported startup parameter')
    ? `. Let the pooler pass that: ignore_startup_parameters = ${Object.keys(sessionSettings).join(', ')}`
    : ''
  return new DatabaseUnusable(
    `The database ${database ?? ''} at ${host}:${port} cannot be used: ${message || code}${remedy}`,
    { isSetting },
  )
}

/**
 * Makes sure that a connection is one session of PostgreSQL, not a turn in somebody else's: two connections that are
 * open together and have one server process, or a connection that has several, tell a pooler. It is asked before anything
 * is locked, for a session lock taken through one stays behind. Then, that the settings of our sessions are taken. @throws DatabaseUnusable
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
