import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { admin } from '../../scripts/commands/admin.ts'
import { runProgram } from '../testing/programs.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { createKnex } from './knex-config.ts'
import { MIGRATION_LOCK, migrate } from './migrate.ts'

const { db, connectionString } = await setTestDatabase()
/** As by way of a pooler: all its connections seem to be one process of PostgreSQL. */
const pooled = await setTestDatabase()
await pooled.db.raw('create schema pooler')
await pooled.db.raw(`create function pooler.pg_backend_pid() returns int language sql as 'select 7'`)
const { pathname } = new URL(pooled.connectionString)
await pooled.db.raw('alter database ?? set search_path = pooler, pg_catalog, public', [pathname.slice(1)])

/** Starts a server in a process of its own and waits for its end. */
const start = (connectionString: string) =>
  runProgram('main', [], {
    DATABASE_URL: connectionString,
    DATABASE_WAIT_SECONDS: '0.5',
    PORT: '0',
    LOG_LEVEL: 'warn',
  })

async function holdLock(): Promise<Client> {
  const holder = new Client({ connectionString: connectionString, application_name: 'a twin' })
  await holder.connect()
  await holder.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
  return holder
}

describe('a start by way of a pooler that lends connections for a transaction', () => {
  it('ends with one plain line and leaves no lock behind', async () => {
    const { status, output } = await start(pooled.connectionString)
    expect(output).toMatch(/^Beaconry cannot start:\n {2}DATABASE_URL: .*pooler.*LISTEN.*direct connection.*\n$/)
    expect(status).toBe(78)
    const locks = await pooled.db.raw(
      `select from pg_locks join pg_database d on d.oid = database where locktype = 'advisory' and datname = current_database()`,
    )
    expect(locks.rows).toEqual([])
  })

  it('is told in the same line by the commands', async () => {
    const { status, output } = await admin(['ada@example.com'], { DATABASE_URL: pooled.connectionString })
    expect(output).toMatch(/^DATABASE_URL: .*pooler.*\n$/)
    expect(status).toBe(78)
  })
})

describe('an address past the pooler', () => {
  it('is what commands use', async () => {
    const env = { DATABASE_URL: pooled.connectionString, DATABASE_DIRECT_URL: connectionString }
    const { output } = await admin(['ada@example.com'], env)
    expect(output).toMatch(/^There is no account/)
  })

  it('that leads through one itself is told by its own name', async () => {
    const db = createKnex(connectionString, { directUrl: pooled.connectionString })
    await expect(migrate(db)).rejects.toThrow(/^DATABASE_DIRECT_URL: .*pooler/)
    await db.destroy()
  })
})

describe('a database that cannot be used', () => {
  it.each<[string, (url: URL) => void, number]>([
    ['does not answer', (url) => (url.port = '1'), 1],
    ['does not exist', (url) => (url.pathname = '/nowhere'), 78],
    ['refuses the password', (url) => (url.password = 'guess'), 78],
  ])('because it %s is told to a command in one line, without a password', async (_, change, status) => {
    const url = new URL(connectionString)
    change(url)
    const ended = await admin(['ada@example.com'], { DATABASE_URL: url.href })
    expect(ended.output).toMatch(/^The database \w+ at 127\.0\.0\.1:\d+ cannot be used: .+\n$/)
    expect(ended.output).not.toContain(url.password)
    expect(ended.status).toBe(status)
  })

  it('is said in the same line by a server that starts on it', async () => {
    const url = new URL(connectionString)
    url.port = '1'
    const { status, output } = await start(url.href)
    expect(output).toMatch(/^Beaconry cannot start:\n {2}The database \w+ at 127\.0\.0\.1:1 cannot be used: .+\n$/)
    expect(status).toBe(1)
  })
})

describe('the lock for migrations', () => {
  it('is not waited for without end: whoever holds it is named', async () => {
    const holder = await holdLock()
    const { rows } = await holder.query('select pg_backend_pid() as pid')
    const said: string[] = []
    await expect(migrate(db, { waitMs: 3_200, say: (message) => void said.push(message) })).rejects.toThrow(
      new RegExp(`after \\d+ s session ${rows[0].pid} \\(a twin\\), connected since .* still holds the lock`),
    )
    expect(said).toEqual(['waiting for another process that is bringing the database up to date'])
    await holder.end()
  })

  it('comes to whoever waits as soon as its holder is gone', async () => {
    const holder = await holdLock()
    const db = createKnex(connectionString)
    const waiting = migrate(db, { waitMs: 20_000 })
    const { rows } = await db.raw('select pg_backend_pid()')
    expect(rows).toHaveLength(1)
    await holder.end()
    expect(await waiting).toEqual([])
    await db.destroy()
  })
})
