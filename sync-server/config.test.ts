import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { environment, loadConfig, type Config } from './config.ts'

function configOf(env: Record<string, string>): Config {
  const loaded = loadConfig(env)
  if (!loaded.ok) throw new Error(loaded.errors.join('; '))
  return loaded.config
}

function errorsOf(env: Record<string, string>): string[] {
  const loaded = loadConfig(env)
  return loaded.ok ? [] : loaded.errors
}

const testKeys = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }
const publicServer = { PUBLIC_ORIGIN: 'https://beaconry.example', TRUST_PROXY: '1' }
const liveKeys = {
  STRIPE_SECRET_KEY: 'rk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
}

const publicDemo = { ...publicServer, DEMO_MODE: '1' }
const { TRUST_PROXY: _, ...silentDemo } = publicDemo
const onHost = { DATABASE_URL: 'postgres://host/beaconry' }

describe('configuration', () => {
  it('needs no setting at all on one machine', () => {
    expect(configOf({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      publicOrigin: 'http://localhost:3000',
      proxies: 0,
      role: 'all',
      dataDir: path.resolve('.data'),
      databaseUrl: null,
      databaseDirectUrl: null,
      databasePool: 10,
      databaseWaitMs: 120_000,
      shutdownGraceMs: 0,
      demoMode: true,
      billing: 'demo',
      demoAccounts: true,
      stripeSecretKey: null,
      stripePublishableKey: null,
      stripeWebhookSecret: null,
      stripeApiOrigin: null,
      stripeScriptOrigin: null,
      vapidSubject: 'mailto:push@beaconry.example',
      pushHosts: null,
      smtpUrl: null,
      mailFrom: { name: 'Beaconry', address: 'hello@beaconry.example' },
      contactEmail: null,
      keepSettledHours: 168,
      securityContact: null,
      logLevel: 'info',
      metricsPort: null,
      metricsHost: '127.0.0.1',
    })
  })

  it('takes an empty value for not set', () => {
    expect(configOf({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 3000, databaseUrl: null })
  })

  it('reports all mistakes at once, each under its name', () => {
    const errors = errorsOf({
      PORT: 'many',
      DATABASE_URL: 'mysql://x',
      LOG_LEVEL: 'loud',
      DEMO_MODE: 'maybe',
      BILLING: 'free',
      PUBLIC_ORIGIN: 'beaconry.example',
    })
    expect(errors.map((error) => error.split(':')[0])).toEqual([
      'PORT',
      'PUBLIC_ORIGIN',
      'DATABASE_URL',
      'DEMO_MODE',
      'BILLING',
      'LOG_LEVEL',
    ])
  })

  it.each([
    ['https://beaconry.example/', 'https://beaconry.example'],
    ['http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
  ])('knows the public address %s as %s', (given, origin) => {
    expect(configOf({ PUBLIC_ORIGIN: given, TRUST_PROXY: '0', DEMO_MODE: '1' }).publicOrigin).toBe(origin)
  })

  it.each([
    'https://beaconry.example/app',
    'https://user@beaconry.example',
    'ftp://beaconry.example',
    'https://beaconry.example?x=1',
  ])('refuses the public address %s', (given) =>
    expect(errorsOf({ PUBLIC_ORIGIN: given, TRUST_PROXY: '0', DEMO_MODE: '1' })).toEqual([
      expect.stringMatching(/^PUBLIC_ORIGIN: /),
    ]),
  )

  it.each<[string, Record<string, string>, boolean, Config['billing'], boolean]>([
    ['a laptop', {}, true, 'demo', true],
    ['a laptop under another port', { PUBLIC_ORIGIN: 'http://localhost:4000' }, true, 'demo', true],
    ['a laptop that says no', { DEMO_MODE: '0' }, false, 'stripe', false],
    ['a laptop without plans', { BILLING: 'OFF' }, true, 'off', true],
    ['a machine whose port others can reach', { HOST: '0.0.0.0' }, false, 'stripe', false],
    ['the same, asked for', { HOST: '0.0.0.0', DEMO_MODE: '1' }, true, 'demo', true],
    ['keys of Stripe', testKeys, false, 'stripe', false],
    ['keys and the word', { ...testKeys, BILLING: 'stripe' }, false, 'stripe', false],
    ['a public demo', publicDemo, true, 'demo', false],
    ['a public demo without plans', { ...publicDemo, BILLING: 'off' }, true, 'off', false],
    ['a public server with keys', { ...publicServer, ...liveKeys }, false, 'stripe', false],
    ['a public server without plans', { ...publicServer, BILLING: 'off' }, false, 'off', false],
    ['a public server that gives plans away', { ...publicServer, BILLING: 'demo' }, false, 'demo', false],
  ])(
    'decides of %s: demo, how plans are paid for, published accounts',
    (_title, env, demoMode, billing, demoAccounts) => {
      expect(configOf(env)).toMatchObject({ demoMode, billing, demoAccounts })
    },
  )

  it('tells a public server what it may say of billing, and no published passwords', () => {
    const [error, ...more] = errorsOf(publicServer)
    expect([error, more]).toEqual([expect.stringMatching(/^BILLING: .*off.*demo.*STRIPE_SECRET_KEY/), []])
    expect(error).not.toContain('DEMO_MODE')
  })

  it('has push services write to whom everybody may write, unless it names somebody else', () => {
    const CONTACT_EMAIL = 'help@harbor.example'
    expect(configOf({ CONTACT_EMAIL }).vapidSubject).toBe('mailto:help@harbor.example')
    expect(configOf({ CONTACT_EMAIL, VAPID_SUBJECT: 'https://harbor.example' }).vapidSubject).toBe(
      'https://harbor.example',
    )
  })

  it('reads whom mail comes from', () => {
    expect(
      configOf({ SMTP_URL: 'smtps://me:secret@mail.example', MAIL_FROM: 'Harbor Events <hi@harbor.example>' }),
    ).toMatchObject({
      smtpUrl: 'smtps://me:secret@mail.example',
      mailFrom: { name: 'Harbor Events', address: 'hi@harbor.example' },
    })
  })

  it.each<[string, Record<string, string>, string]>([
    ['keys of Stripe in demo mode', { ...testKeys, DEMO_MODE: '1' }, 'DEMO_MODE'],
    ['one key of Stripe in demo mode', { STRIPE_PUBLISHABLE_KEY: 'pk_test_1', DEMO_MODE: '1' }, 'DEMO_MODE'],
    ['a signing secret of Stripe in demo mode', { STRIPE_WEBHOOK_SECRET: 'whsec_1', DEMO_MODE: '1' }, 'DEMO_MODE'],
    ['a signing secret alone', { STRIPE_WEBHOOK_SECRET: 'whsec_1' }, 'STRIPE_SECRET_KEY'],
    ['a signing secret that is none', { ...testKeys, STRIPE_WEBHOOK_SECRET: 'secret' }, 'STRIPE_WEBHOOK_SECRET'],
    [
      'a public server that could not be told what is paid',
      { ...publicServer, STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' },
      'STRIPE_WEBHOOK_SECRET',
    ],
    ['a Stripe of somebody else', { ...testKeys, STRIPE_API_ORIGIN: 'https://stripe.example' }, 'STRIPE_API_ORIGIN'],
    [
      'a real key beside a Stripe of our own',
      { ...liveKeys, STRIPE_API_ORIGIN: 'http://127.0.0.1:12111' },
      'STRIPE_API_ORIGIN',
    ],
    ['cards charged without keys', { BILLING: 'stripe' }, 'STRIPE_SECRET_KEY'],
    ['no plans beside keys', { ...testKeys, BILLING: 'off' }, 'BILLING'],
    ['plans given away beside keys', { ...testKeys, BILLING: 'demo' }, 'BILLING'],
    ['no plans beside a signing secret', { STRIPE_WEBHOOK_SECRET: 'whsec_1', BILLING: 'off' }, 'BILLING'],
    ['a direct address alone', { DATABASE_DIRECT_URL: 'postgres://host/beaconry' }, 'DATABASE_DIRECT_URL'],
    [
      'a direct address that is none',
      { DATABASE_URL: 'postgres://pooler/beaconry', DATABASE_DIRECT_URL: 'host' },
      'DATABASE_DIRECT_URL',
    ],
    ['a grace without end', { SHUTDOWN_GRACE_SECONDS: '601' }, 'SHUTDOWN_GRACE_SECONDS'],
    ['a role that there is not', { ROLE: 'worker' }, 'ROLE'],
    ['a pool of one connection', { DATABASE_POOL: '1' }, 'DATABASE_POOL'],
    ['a proxy in words', { TRUST_PROXY: 'yes' }, 'TRUST_PROXY'],
    ['half a proxy', { TRUST_PROXY: '0.5' }, 'TRUST_PROXY'],
    ['metrics on a name', { METRICS_PORT: '9464', METRICS_HOST: 'metrics.example' }, 'METRICS_HOST'],
    ['an address of metrics without a port', { METRICS_HOST: '0.0.0.0' }, 'METRICS_PORT'],
    ['a secret key alone', { STRIPE_SECRET_KEY: 'sk_test_1' }, 'STRIPE_PUBLISHABLE_KEY'],
    ['a publishable key alone', { STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, 'STRIPE_SECRET_KEY'],
    ['a test key beside a live key', { ...testKeys, STRIPE_SECRET_KEY: 'sk_live_1' }, 'STRIPE_PUBLISHABLE_KEY'],
    ['keys that are mixed up', { STRIPE_SECRET_KEY: 'pk_test_1', DEMO_MODE: '0' }, 'STRIPE_SECRET_KEY'],
    ['a public server that turns the demo off', { ...publicServer, DEMO_MODE: '0' }, 'BILLING'],
    ['a public server without https', { ...publicDemo, PUBLIC_ORIGIN: 'http://beaconry.example' }, 'PUBLIC_ORIGIN'],
    ['a public server that does not say whether a proxy names its callers', silentDemo, 'TRUST_PROXY'],
    [
      'a mail server of another kind',
      { SMTP_URL: 'https://mail.beaconry.example', MAIL_FROM: 'B <b@b.example>' },
      'SMTP_URL',
    ],
    ['a mail server without a sender', { SMTP_URL: 'smtp://localhost:25' }, 'MAIL_FROM'],
    ['a sender without a name', { MAIL_FROM: 'hello@beaconry.example' }, 'MAIL_FROM'],
    ['two addresses to write to', { CONTACT_EMAIL: 'a@a.example, b@b.example' }, 'CONTACT_EMAIL'],
    ['two senders', { MAIL_FROM: 'A <a@a.example>, B <b@b.example>' }, 'MAIL_FROM'],
    [
      'a name that only starts like localhost',
      { ...publicServer, PUBLIC_ORIGIN: 'https://localhost.example' },
      'BILLING',
    ],
  ])('refuses %s', (_title, env, setting) => {
    expect(errorsOf(env)).toEqual([expect.stringMatching(new RegExp(`^${setting}: `))])
  })
})

it.each<[string, Record<string, string>, number]>([
  ['a laptop', onHost, 0],
  ['a public server with the database in it', publicDemo, 0],
  ['a process for jobs', { ...publicDemo, ...onHost, ROLE: 'jobs' }, 0],
  ['a public server', { ...publicDemo, ...onHost }, 10_000],
  ['one that says so', { ...publicDemo, SHUTDOWN_GRACE_SECONDS: '2.5' }, 2_500],
])('decides how long %s still answers when it stops', (_title, env, graceMs) =>
  expect(configOf(env).shutdownGraceMs).toBe(graceMs),
)

it.each([0, 1, 2])('a public server that says TRUST_PROXY=%s is believed', (proxies) =>
  expect(configOf({ ...publicDemo, TRUST_PROXY: String(proxies) }).proxies).toBe(proxies),
)

describe('.env.example', () => {
  const text = readFileSync(new URL('../.env.example', import.meta.url), 'utf8')

  it('names exactly the settings there are, in the same order', () => {
    const named = [...text.matchAll(/^(?:# )?([A-Z][A-Z0-9_]*)=/gm)].map((match) => match[1])
    expect(named).toEqual(Object.keys(environment.shape))
  })

  it('is valid as it stands, but for a public address and whether a proxy stands in front', () => {
    const set = Object.fromEntries([...text.matchAll(/^([A-Z_]+)=(.*)$/gm)].map((match) => [match[1], match[2]]))
    expect(errorsOf(set as Record<string, string>)).toEqual([])
    expect(text).toMatch(/^# TRUST_PROXY=1$/m)
  })
})

describe('the table of settings in docs/operating.md', () => {
  const text = readFileSync(new URL('../docs/operating.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| `([A-Z_]+)` \| (.*?) \|/gm)].map(([, name = '', usual = '']) => ({ name, usual }))

  it('names exactly the settings there are, in the same order', () => {
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(environment.shape))
  })

  it('names the default of each setting that has one', () => {
    const defaults = Object.entries(environment.parse({})).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [{ name, usual: `\`${value}\`` }] : [],
    )
    expect(rows).toEqual(expect.arrayContaining(defaults))
    expect(defaults.length).toBeGreaterThan(5)
  })
})
