import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Knex } from 'knex'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { serve, type RunningServer } from '../../app/serve.ts'
import { loadConfig, type Config } from '../../config.ts'
import { createKnex } from '../../db/knex-config.ts'
import { demoPassword } from '../../db/seeds/seed-demo.ts'
import { applicationBody } from '../../testing/route-rig.ts'
import { createClient } from '../../testing/test-server.ts'
import { cloneTemplate } from '../../testing/template-database.ts'
import { demo } from './demo.ts'

const live = { DEMO_MODE: '0' }
const publicDemo = { DEMO_MODE: '1', PUBLIC_ORIGIN: 'https://beaconry.example', TRUST_PROXY: '0' }

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
  it('lets no one in with a published password, ends their sessions, takes no code of the demo, lists no event of it and takes no application to one, and says so', async () => {
    await start({})
    const ada = await signIn('ada@example.com')
    const others = [await signIn('olivia@example.com'), await signIn('otto@example.com')]
    expect([ada, ...others].map(({ body }) => body.isAdmin)).toEqual([true, false, false])
    expect((await call('GET', '/api/events')).body).not.toEqual([])

    await start(live)
    expect(await db('mails').whereIn('state', ['held', 'queued', 'sending'])).toEqual([])
    const wrong = await signIn('ada@example.com', 'not the password')
    for (const email of ['ada@example.com', 'olivia@example.com', 'otto@example.com']) {
      const refused = await signIn(email)
      expect([refused.status, refused.body.code]).toEqual([401, wrong.body.code])
    }
    expect((await call('GET', '/api/user', undefined, ada.browser)).status).toBe(401)
    const again = { username: 'ada', email: 'ada@example.com', password: demoPassword }
    expect((await call('POST', '/api/register', again)).status).toBe(409)
    expect(await db('users').where({ isAdmin: true })).toEqual([])

    const nora = await call('POST', '/api/register', anyone)
    expect(nora.status).toBe(201)
    for (const code of ['BEACON100', 'welcome20']) {
      const tried = await call('POST', '/api/validate-promo-code', { code }, nora.browser)
      expect(tried.body).not.toMatchObject({ valid: true })
    }
    expect((await call('GET', '/api/events')).body).toEqual([])
    const { id } = (await db('events').orderBy('startDate', 'desc').first('id'))!
    expect((await call('GET', `/api/events/${id}`)).status).toBe(404)
    const application = applicationBody({ email: 'bea@harbor.example' })
    expect((await call('POST', `/api/events/${id}/beacons`, application)).status).toBe(404)
    expect(said).toMatch(/ada@example\.com.*closed[^]*npm run demo -- --remove/)
    expect((await call('GET', '/demo-accounts.json')).status).toBe(404)
  })

  it('stays closed when a demo is started again, until the command opens it', async () => {
    await start({})
    const listed = (await call('GET', '/api/events')).text
    await start(live)
    await start({})
    expect((await signIn('ada@example.com')).status).toBe(401)
    expect((await call('GET', '/api/events')).body).toEqual([])
    expect((await call('GET', '/demo-accounts.json')).status).toBe(404)
    expect(said).toMatch(/ada@example\.com.*closed[^]*npm run demo -- --open/)

    for (const env of [live, publicDemo])
      expect(await demo(['--open'], { DATABASE_URL: clone.connectionString, ...env })).toMatchObject({ status: 1 })
    const opened =
      'Opened 3 accounts of the demo: olivia@example.com, otto@example.com, ada@example.com. The sign-in page names them from the next start on.\n'
    expect(await runDemo('--open')).toEqual({ status: 0, output: opened })
    const ada = await signIn('ada@example.com')
    expect([ada.status, ada.body.isAdmin]).toEqual([200, true])
    expect((await call('GET', '/api/events')).text).toBe(listed)
    const code = await call('POST', '/api/validate-promo-code', { code: 'BEACON100' }, ada.browser)
    expect(code.body).toMatchObject({ valid: true })
    await start({})
    expect((await signIn('ada@example.com')).status).toBe(200)
  })

  it('is no demo beside an account that somebody made on it, whatever the settings, and no command makes it one', async () => {
    await start(live)
    const nora = await call('POST', '/api/register', anyone)
    expect(nora.status).toBe(201)
    await start({})
    expect(said).toContain('no demo')
    expect((await signIn('ada@example.com')).status).toBe(401)
    const { browser } = await signIn(anyone.email, anyone.password)
    // A demo gives plans away.
    expect((await call('POST', '/api/create-subscription', { planId: 3 }, browser)).status).toBe(402)
    expect(await runDemo('--open')).toMatchObject({ status: 1, output: expect.stringContaining('1 account') as string })
    expect((await signIn('ada@example.com')).status).toBe(401)
  })

  it('mails no link that would open an account of the demo', async () => {
    await db('users').where({ username: 'ada' }).update({ email: 'somebody@harbor.example' })
    await start({ ...live, SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Beaconry <hello@beaconry.example>' })
    const asked = await call('POST', '/api/password-reset', { email: 'somebody@harbor.example' })
    expect(asked.status).toBeLessThan(300)
    const undone = () => db('jobs').where({ kind: 'password-reset' }).whereNot({ state: 'done' })
    while ((await undone()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await db('mails').where({ kind: 'password-reset' })).toEqual([])
  })
})

describe('a server that others can reach', () => {
  async function refusesWhatIsKnown(): Promise<void> {
    expect([knownEmails.length, knownPasswords]).toEqual([5, [demoPassword]])
    for (const email of knownEmails)
      for (const password of [...knownPasswords, 'password'])
        expect([email, password, (await signIn(email, password)).status]).toEqual([email, password, 401])
    expect(await db('users').where({ isAdmin: true })).toEqual([])
    expect((await call('GET', '/demo-accounts.json')).status).toBe(404)
    expect(said).not.toContain(demoPassword)
  }
  const byItsPort = { DEMO_MODE: '', HOST: '0.0.0.0' }
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

  it.each(servers)('%s closes the accounts that were made while only its own machine could', async (_, env) => {
    await start(env)
    await refusesWhatIsKnown()
    expect(said).toMatch(/ada@example\.com.*closed/)
  })

  it('by its port, but is to be a demo, is told that its passwords are published', async () => {
    await start({ HOST: '0.0.0.0' })
    expect(said).toContain('HOST=0.0.0.0: other machines can reach this demo, and its passwords are published')
    expect(said).not.toContain('CONTACT_EMAIL')
  })
})

describe('npm run demo', () => {
  it('removes the demo and nothing else, which a next start leaves open beside an account that was made on it', async () => {
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

  it('leaves an account to whoever has made it their own', async () => {
    expect((await runDemo('--keep', 'olivia@example.com')).output).toContain('password is published')
    await db('users').where({ username: 'olivia' }).update({ email: 'olivia@lantern.example' })
    expect(await runDemo('--keep', 'Olivia@Lantern.example')).toMatchObject({ status: 0 })
    await runDemo('--remove')
    expect((await db('users').select('email')).map(({ email }) => email)).toEqual(['olivia@lantern.example'])
    expect(await db('events')).toHaveLength(9)
    await start(live)
    expect((await signIn('olivia@lantern.example')).status).toBe(401)
  })
})
