import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { freePort } from '../testing/server-process.ts'
import { startTransactionPooler } from '../testing/transaction-pooler.ts'
import { createKnex } from './knex-config.ts'
import { MIGRATION_LOCK, migrate } from './migrate.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** Starts a program of the server and waits for its end. */
async function run(program: string, args: string[], env: Record<string, string>) {
  const command = ['--import', 'tsx', program, ...args]
  const all = { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'warn', ...env }
  return await new Promise<{ status: number; output: string }>((resolve) => {
    execFile(process.execPath, command, { cwd: root, env: all, timeout: 25_000 }, (error, stdout, stderr) => {
      resolve({ status: typeof error?.code === 'number' ? error.code : error ? -1 : 0, output: stdout + stderr })
    })
  })
}

const start = async (connectionString: string) =>
  await run('sync-server/app/main.ts', [], { DATABASE_URL: connectionString, PORT: String(await freePort()) })

async function holdLock(): Promise<Client> {
  const holder = new Client({ connectionString: database.connectionString, application_name: 'a twin' })
  await holder.connect()
  await holder.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
  return holder
}

describe('a start by way of a pooler that lends connections for a transaction', () => {
  it('ends with one plain line and leaves no lock behind, so that the next start on the real address works', async () => {
    const pooler = await startTransactionPooler(database.connectionString)
    const { status, output } = await start(pooler.connectionString)
    expect(output).toMatch(/^Beaconry cannot start:\n {2}DATABASE_URL: .*pooler.*LISTEN.*direct connection.*\n$/)
    expect(status).toBe(78)
    // The pooler is still there, and so is the session it has lent.
    await expect(migrate(database.db, { waitMs: 1_000 })).resolves.toEqual([])
    await pooler.close()
  })

  it('is told in the same line by the commands', async () => {
    const pooler = await startTransactionPooler(database.connectionString)
    const env = { DATABASE_URL: pooler.connectionString }
    const { status, output } = await run('sync-server/scripts/commands/admin.ts', ['ada@example.com'], env)
    expect(output).toMatch(/^DATABASE_URL: .*pooler.*\n$/)
    expect(status).toBe(78)
    await pooler.close()
  })
})

describe('a start on a database that cannot be used', () => {
  it.each<[string, (url: URL) => void, number]>([
    ['does not answer', (url) => (url.port = '1'), 1],
    ['does not exist', (url) => (url.pathname = '/nowhere'), 78],
    ['refuses the password', (url) => (url.password = 'guess'), 78],
  ])('that %s says so in one line, without a password', async (_, change, status) => {
    const url = new URL(database.connectionString)
    change(url)
    const ended = await start(url.href)
    expect(ended.output).toMatch(
      /^Beaconry cannot start:\n {2}The database \w+ at 127\.0\.0\.1:\d+ cannot be used: .+\n$/,
    )
    expect(ended.output).not.toContain(url.password)
    expect(ended.status).toBe(status)
  })
})

describe('the lock for migrations', () => {
  it('is not waited for without end: whoever holds it is named', async () => {
    const holder = await holdLock()
    const { rows } = await holder.query('select pg_backend_pid() as pid')
    const said: string[] = []
    await expect(migrate(database.db, { waitMs: 3_200, say: (message) => void said.push(message) })).rejects.toThrow(
      new RegExp(`after 3 s session ${rows[0].pid} \\(a twin\\), connected since .* still holds the lock`),
    )
    expect(said).toEqual(['waiting for another process that is bringing the database up to date'])
    await holder.end()
  })

  it('comes to whoever waits as soon as its holder is gone', async () => {
    const holder = await holdLock()
    const db = createKnex(database.connectionString)
    const waiting = migrate(db, { waitMs: 20_000 })
    const { rows } = await database.db.raw('select pg_backend_pid()')
    expect(rows).toHaveLength(1)
    await holder.end()
    expect(await waiting).toEqual([])
    await db.destroy()
  })
})
