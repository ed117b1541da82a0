import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Knex } from 'knex'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { serve, type RunningServer } from '../../sync-server/app/serve.ts'
import { loadConfig, type Config } from '../../sync-server/config.ts'
import { createKnex } from '../../sync-server/db/knex-config.ts'
import { demoPassword } from '../../sync-server/db/seeds/seed-demo.ts'
import { createClient } from '../../sync-server/testing/test-server.ts'
import { cloneTemplate } from '../../sync-server/testing/template-database.ts'
import { demo } from './demo.ts'

const live = { DEMO_MODE: '0' }
const publicDemo = { DEMO_MODE: '1', PUBLIC_ORIGIN: 'https://beaconry.example', TRUST_PROXY: '0' }

const byItsPort = { DEMO_MODE: '', HOST: '0.0.0.0' }
const withoutPlans = { DEMO_MODE: '', BILLING: 'off', PUBLIC_ORIGIN: 'https://beaconry.example', TRUST_PROXY: '0' }

/** What anyone can read or guess: README's accounts and passwords, and what admins are called by default. */
const readme = readFileSync('README.md', 'utf8')
const knownEmails = [...new Set(readme.match(/\b\w+@example\.com/g)), 'otto@example.com', 'admin@example.com']
const knownPasswords = [...readme.matchAll(/password `([^`]+)`/g)].map(([, password = '']) => password)

/** A database that a demo has filled, of which each test has a copy. */
let filled: Awaited<ReturnType<typeof cloneTemplate>>
let clone: Awaited<ReturnType<typeof cloneTemplate>>
let db: Knex
let server: RunningServer | undefined
let said = ''
let config: Config
beforeAll(async () => {
  await beginWith(inject('databaseTemplate'))
  await start({})
  await leave()
  filled = clone
})
afterAll(() => filled.drop())
beforeEach(() => beginWith(new URL(filled.connectionString).pathname.slice(1)))
afterEach(async () => {
  await leave()
  await clone.drop()
})

async function beginWith(template: string): Promise<void> {
  clone = await cloneTemplate({ adminUrl: inject('databaseAdminUrl'), template })
  db = createKnex(clone.connectionString, { poolSize: 1 })
}

async function leave(): Promise<void> {
  await server?.stop()
  server = undefined
  await db.destroy()
}

/** Starts a server over the database of this test in place of the one before; what it says on the screen is in `said`. */
async function start(env: Record<string, string>): Promise<void> {
  await server?.stop()
  said = ''
  const common = {
    DATABASE_URL: clone.connectionString,
    PORT: '0',
    DEMO_MODE: '1',
    LOG_LEVEL: 'fatal',
    SHUTDOWN_GRACE_SECONDS: '0',
  }
  const loaded = loadConfig({ ...common, ...env })
  if (!loaded.ok) throw new Error(loaded.errors.join('\n'))
  config = loaded.config
  server = await serve(config, (text) => void (said += text))
}

/** What a browser would send, a new one unless it is given. */
const call = async (
  method: string,
  path: string,
  body?: object,
  browser = createClient(server!.origin, config, db),
) => ({
  browser,
  ...(await browser.request(method, `${server!.origin}${path}`, {
    ...(body ? { body: JSON.stringify(body) } : {}),
    headers: { 'idempotency-key': randomUUID() },
  })),
})

const signIn = (email: string, password = demoPassword) => call('POST', '/api/login', { email, password })

const runDemo = (...args: string[]) => demo(args, { DATABASE_URL: clone.connectionString })

const anyone = { username: 'Nora', email: 'nora@harbor.example', password: 'ferry-to-the-island' }

describe('a live server over the data of a demo', () => {
  const refusal = /^The data of a demo .* npm run demo -- --remove deletes it\.$/

  it.each([
    ['no demo', live],
    ['a server at a public address', withoutPlans],
    ['a server by its port alone', byItsPort],
  ])('as %s does not start, in one line that names the command', async (_, env) => {
    await expect(start(env)).rejects.toThrow(refusal)
    expect(said).toBe('')
  })

  it('starts once the demo is removed, and knows none of its accounts, codes and events', async () => {
    await runDemo('--remove')
    await start(live)
    const statuses = await Promise.all(knownEmails.map(async (email) => (await signIn(email)).status))
    expect(new Set(statuses)).toEqual(new Set([401]))
    const nora = await call('POST', '/api/register', anyone)
    const tried = await call('POST', '/api/validate-promo-code', { code: 'BEACON100' }, nora.browser)
    expect(tried.body).not.toMatchObject({ valid: true })
    expect((await call('GET', '/api/events')).body).toEqual([])
    expect((await call('GET', '/demo-accounts.json')).status).toBe(404)
  })

  it('is no demo beside an account that somebody made on it, whatever the settings', async () => {
    await runDemo('--remove')
    await start(live)
    expect((await call('POST', '/api/register', anyone)).status).toBe(201)
    await start({})
    expect(said).toContain('no demo')
    const { browser } = await signIn(anyone.email, anyone.password)
    // A demo gives plans away.
    expect((await call('POST', '/api/create-subscription', { planId: 3 }, browser)).status).toBe(402)
    expect(await db('users').whereNotNull('demoRole')).toEqual([])
  })
})

describe('a server that others can reach', () => {
  async function refusesWhatIsKnown(): Promise<void> {
    expect([knownEmails.length, knownPasswords]).toEqual([4, [demoPassword]])
    for (const email of knownEmails)
      for (const password of [...knownPasswords, 'password'])
        expect([email, password, (await signIn(email, password)).status]).toEqual([email, password, 401])
    expect(await db('users').where({ isAdmin: true })).toEqual([])
    expect((await call('GET', '/demo-accounts.json')).status).toBe(404)
    expect(said).not.toContain(demoPassword)
  }
  const servers: [string, Record<string, string>, RegExp][] = [
    ['that is a demo', publicDemo, /CONTACT_EMAIL is not set/],
    ['without plans', withoutPlans, /CONTACT_EMAIL is not set/],
    ['by its port alone', byItsPort, /HOST=0\.0\.0\.0.*no demo unless DEMO_MODE=1/],
  ]

  it.each(servers)('%s makes no account by itself, and says what it lacks', async (_, env, says) => {
    await leave()
    await clone.drop()
    await beginWith(inject('databaseTemplate'))
    await start(env)
    await refusesWhatIsKnown()
    expect([await db('users'), await db('promo_codes')]).toEqual([[], []])
    expect(said).toMatch(says)
  })

  it('by its port, but is to be a demo, is told that its passwords are published', async () => {
    await start({ HOST: '0.0.0.0' })
    expect(said).toContain('HOST=0.0.0.0: other machines can reach this demo, and its passwords are published')
    expect(said).not.toContain('CONTACT_EMAIL')
  })

  it('says so when it runs as root, and only then', async () => {
    await start({})
    expect(said.includes('runs as root')).toBe(process.getuid?.() === 0)
  })
})

describe('npm run demo', () => {
  it('removes the demo and nothing else, which stays open beside an account made on it', async () => {
    await start({})
    const nora = await call('POST', '/api/register', anyone)
    expect(nora.status).toBe(201)
    await start({})
    expect((await signIn('ada@example.com')).status).toBe(200)
    const removed = await runDemo('--remove')
    expect(removed.output).toMatch(/^Removed 3 accounts, 12 events with 40 applications, and 4 promo codes/)
    expect(removed.status).toBe(0)
    expect((await db('users').select('email')).map(({ email }) => email)).toEqual([anyone.email])
    expect([await db('events'), await db('applications'), await db('promo_codes')]).toEqual([[], [], []])
    expect((await call('GET', '/api/events')).body).toEqual([])
    // Every device that holds a copy is told, by whatever scope it knows it from.
    const told = await db('sync_log').where({ deleted: false }).select('scope')
    expect(told.map(({ scope }) => scope)).toEqual([`account:${nora.body.id}`])
    expect(await runDemo('--remove')).toEqual({ status: 0, output: 'There is nothing of the demo in this database.\n' })
  })
})
