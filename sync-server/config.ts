import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import path from 'node:path'
import * as z from 'zod'

/** This is EX_CONFIG of sysexits.h. */
export const EXIT_CONFIG = 78

const port = (what: string) =>
  z.coerce
    .number({ error: `must be a port number${what}` })
    .int()
    .min(0)
    .max(65_535)

/** The complaint writes `max` with its unit. */
const amount = (what: string, min: number, max: string, error = `must be a number of ${what}`) =>
  z.coerce
    .number({ error })
    .min(min, { error: `must be ${min} or more ${what}` })
    .max(Number.parseInt(max), { error: `must be ${max} at most` })

const count = (what: string, ...limits: [min: number, max: string, error?: string]) =>
  amount(what, ...limits).int({ error: `must be a whole number of ${what}` })

const textLike = (pattern: RegExp, error: string) => z.string().regex(pattern, { error })

const onOff = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['1', 'true', 'on', 'yes', '0', 'false', 'off', 'no'], { error: 'must be 1 or 0' }))
  .transform((word) => ['1', 'true', 'on', 'yes'].includes(word))

const databaseAddress = textLike(
  /^postgres(ql)?:\/\/.+/,
  'must be an address like postgres://user:password@host:5432/database',
)

const standInOrigin = z
  .string()
  .refine((text) => URL.canParse(text) && new URL(text).origin === text && isLocal(text), {
    error: 'must be an address of this machine without a path, like http://127.0.0.1:12111',
  })

const contact = textLike(/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/, 'must be mailto:someone@host or an https address')

/** `.env.example` explains each. */
export const environment = z.object({
  PORT: port('; 0 takes a free one').default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_ORIGIN: z
    .string()
    .transform((text, context) => {
      const url = URL.canParse(text) ? new URL(text) : undefined
      if (url && /^https?:$/.test(url.protocol) && !url.username && url.pathname === '/' && !url.search && !url.hash)
        return url.origin
      context.addIssue({ code: 'custom', message: 'must be an address without a path, like https://beaconry.example' })
      return z.NEVER
    })
    .optional(),
  TRUST_PROXY: count(
    'reverse proxies',
    0,
    '9 reverse proxies',
    'must be how many reverse proxies stand in front: 0, 1, 2 …',
  ).optional(),
  ROLE: z.enum(['web', 'jobs', 'all'], { error: 'must be web, jobs or all' }).default('all'),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: databaseAddress.optional(),
  DATABASE_DIRECT_URL: databaseAddress.optional(),
  DATABASE_POOL: count('connections', 2, '1000 connections').default(10),
  DATABASE_WAIT_SECONDS: amount('seconds', 0, '3600 seconds').default(120),
  SHUTDOWN_GRACE_SECONDS: amount('seconds', 0, '600 seconds').optional(),
  DEMO_MODE: onOff.optional(),
  BILLING: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['off', 'demo', 'stripe'], { error: 'must be off, demo or stripe' }))
    .optional(),
  STRIPE_SECRET_KEY: textLike(/^(sk|rk)_\w+$/, 'must be a secret key of Stripe, sk_… or rk_…').optional(),
  STRIPE_PUBLISHABLE_KEY: textLike(/^pk_\w+$/, 'must be a publishable key of Stripe, pk_…').optional(),
  STRIPE_WEBHOOK_SECRET: textLike(
    /^whsec_\w+$/,
    'must be the signing secret of a webhook of Stripe, whsec_…',
  ).optional(),
  STRIPE_API_ORIGIN: standInOrigin.optional(),
  STRIPE_SCRIPT_ORIGIN: standInOrigin.optional(),
  VAPID_SUBJECT: contact.optional(),
  PUSH_HOSTS: z
    .string()
    .transform((list) =>
      list
        .split(',')
        .map((host) => host.trim().toLowerCase())
        .filter(Boolean),
    )
    .optional(),
  SMTP_URL: z
    .string()
    .refine((text) => URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== '', {
      error: 'must be an address like smtp://user:password@host:587',
    })
    .optional(),
  MAIL_FROM: textLike(
    /^[^<>@\r\n]+ <[^\s<>@]+@[^\s<>@]+>$/,
    'must be a name and an address, Beaconry <hello@beaconry.example>',
  )
    .transform((text) => {
      const [name = '', address = ''] = text.slice(0, -1).split(' <')
      return { name: name.trim(), address }
    })
    .optional(),
  CONTACT_EMAIL: textLike(
    /^[^\s<>@,;:"'()]+@[^\s<>@,;:"'()]+$/,
    'must be one address, like help@beaconry.example',
  ).optional(),
  SECURITY_CONTACT: contact.optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be fatal, error, warn, info, debug, trace or silent',
    })
    .default('info'),
  METRICS_PORT: port('').optional(),
  METRICS_HOST: z
    .string()
    .refine((text) => isIP(text) !== 0, { error: 'must be an address in numbers, like 127.0.0.1 or 0.0.0.0' })
    .optional(),
  KEEP_SETTLED_HOURS: count('hours', 0, '2160 hours (90 days)').default(168),
})

type Settings = z.output<typeof environment>

/** A proxy that asks /readyz every five seconds looks twice in this time. */
const defaultGraceSeconds = 10

export type Config = Readonly<ReturnType<typeof configOf>>

export type LoadedConfig = { ok: true; config: Config } | { ok: false; errors: string[] }

/** Names all complaints at once, each starting with its setting's name. An empty setting counts as not set. */
export function loadConfig(env: Record<string, string | undefined>): LoadedConfig {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  )
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    return { ok: false, errors: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) }
  }
  const publicOrigin = parsed.data.PUBLIC_ORIGIN ?? `http://localhost:${parsed.data.PORT}`
  const errors = contradictions(parsed.data, publicOrigin)
  return errors.length > 0 ? { ok: false, errors } : { ok: true, config: configOf(parsed.data, publicOrigin) }
}

function configOf(settings: Settings, publicOrigin: string) {
  // Without a proxy, or with the embedded database, no other process takes over.
  const isAlone = isLocal(publicOrigin) || settings.DATABASE_URL === undefined || settings.ROLE === 'jobs'
  const isForThisMachine = isLocal(publicOrigin) && !isReachable(settings.HOST)
  const demoMode = settings.DEMO_MODE ?? (settings.STRIPE_SECRET_KEY === undefined && isForThisMachine)
  const usualBilling: 'demo' | 'stripe' = demoMode ? 'demo' : 'stripe'
  return Object.freeze({
    /** 0 takes a free one. */
    port: settings.PORT,
    host: settings.HOST,
    /** An example is 'https://beaconry.example'; no slash ends it. */
    publicOrigin,
    /** This many reverse proxies in front each name the address before them. */
    proxies: settings.TRUST_PROXY ?? 0,
    role: settings.ROLE,
    dataDir: path.resolve(settings.DATA_DIR),
    /** Null means the embedded database in `dataDir`. */
    databaseUrl: settings.DATABASE_URL ?? null,
    /**
     * Where `databaseUrl` leads through a pooler that lends connections, this leads to the same database without it.
     */
    databaseDirectUrl: settings.DATABASE_DIRECT_URL ?? null,
    /** A process opens at most this many connections. */
    databasePool: settings.DATABASE_POOL,
    databaseWaitMs: settings.DATABASE_WAIT_SECONDS * 1000,
    /** A stopping process still answers for this long while /readyz is red and a proxy sends calls elsewhere. */
    shutdownGraceMs: (settings.SHUTDOWN_GRACE_SECONDS ?? (isAlone ? 0 : defaultGraceSeconds)) * 1000,
    /** Mails are kept and shown when there is no mail server. */
    demoMode,
    /** `off`: there are no plans, every organizer may do everything; `demo`: plans are given away; `stripe`: cards are charged. */
    billing: settings.BILLING ?? usualBilling,
    /**
     * Fills an empty database with examples, shown on the sign-in page. Only where the address is this machine's own, and
     * where others can reach its port only by DEMO_MODE=1: the passwords are published, an admin's among them.
     */
    demoAccounts: demoMode && isLocal(publicOrigin),
    stripeSecretKey: settings.STRIPE_SECRET_KEY ?? null,
    /** Pages that take a card need it. */
    stripePublishableKey: settings.STRIPE_PUBLISHABLE_KEY ?? null,
    /** Proves that an event is Stripe's; null: none is taken. */
    stripeWebhookSecret: settings.STRIPE_WEBHOOK_SECRET ?? null,
    /** Names a stand-in for Stripe on this machine, e.g. 'http://127.0.0.1:12111'; null means Stripe. */
    stripeApiOrigin: settings.STRIPE_API_ORIGIN ?? null,
    /** Serves the stand-in's script; null means Stripe's. */
    stripeScriptOrigin: settings.STRIPE_SCRIPT_ORIGIN ?? null,
    vapidSubject: settings.VAPID_SUBJECT ?? `mailto:${settings.CONTACT_EMAIL ?? 'push@beaconry.example'}`,
    /** Replaces the push services (host or host:port); null keeps the built-in list. */
    pushHosts: settings.PUSH_HOSTS ?? null,
    /** With name and password; null: only a demo keeps mails. */
    smtpUrl: settings.SMTP_URL ?? null,
    mailFrom: settings.MAIL_FROM ?? { name: 'Beaconry', address: 'hello@beaconry.example' },
    /** For questions about the server, an account or its data; null: none is shown. */
    contactEmail: settings.CONTACT_EMAIL ?? null,
    /** For security.txt; null: it does not exist. */
    securityContact: settings.SECURITY_CONTACT ?? (settings.MAIL_FROM ? `mailto:${settings.MAIL_FROM.address}` : null),
    logLevel: settings.LOG_LEVEL,
    /** Null means that there are no metrics. */
    metricsPort: settings.METRICS_PORT ?? null,
    metricsHost: settings.METRICS_HOST ?? '127.0.0.1',
    /** How long devices keep settled changes, to offer them again after a restore. */
    keepSettledHours: settings.KEEP_SETTLED_HOURS,
  })
}

function contradictions(settings: Settings, publicOrigin: string): string[] {
  const errors: string[] = []
  if (settings.DATABASE_DIRECT_URL && !settings.DATABASE_URL)
    errors.push(
      'DATABASE_DIRECT_URL: only together with DATABASE_URL, the address through a pooler to the same database',
    )
  const { BILLING: billing, STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = settings
  const { STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_ORIGIN: apiOrigin } = settings
  const ofStripe = secretKey || publishableKey || webhookSecret || apiOrigin
  if (settings.DEMO_MODE && ofStripe) {
    errors.push('DEMO_MODE: a demo never charges a card; remove the settings of Stripe or set DEMO_MODE=0')
  } else if (billing && billing !== 'stripe' && ofStripe) {
    errors.push(`BILLING: ${billing} never charges a card; remove the settings of Stripe or set BILLING=stripe`)
  } else if (billing === 'stripe' && !ofStripe) {
    errors.push('STRIPE_SECRET_KEY: missing although BILLING=stripe is set, so no card could be charged')
  } else if (secretKey && !publishableKey) {
    errors.push('STRIPE_PUBLISHABLE_KEY: missing although STRIPE_SECRET_KEY is set, so no page could take a card')
  } else if (publishableKey && !secretKey) {
    errors.push('STRIPE_SECRET_KEY: missing although STRIPE_PUBLISHABLE_KEY is set, so no card could be charged')
  } else if (secretKey && publishableKey && isTestKey(secretKey) !== isTestKey(publishableKey)) {
    errors.push('STRIPE_PUBLISHABLE_KEY: one key is for tests, the other one is not')
  } else if ((webhookSecret || apiOrigin) && !secretKey) {
    errors.push('STRIPE_SECRET_KEY: missing although other settings of Stripe are set, so no card could be charged')
  } else if (apiOrigin && secretKey && !isTestKey(secretKey)) {
    errors.push('STRIPE_API_ORIGIN: only with a test key, for a real one goes to Stripe alone')
  } else if (settings.STRIPE_SCRIPT_ORIGIN && !apiOrigin) {
    errors.push(
      'STRIPE_SCRIPT_ORIGIN: only together with STRIPE_API_ORIGIN, for cards are typed into nothing but Stripe',
    )
  }
  if (settings.SMTP_URL && !settings.MAIL_FROM)
    errors.push('MAIL_FROM: missing although SMTP_URL is set, so mail would have no sender')
  if (settings.METRICS_HOST && settings.METRICS_PORT === undefined)
    errors.push('METRICS_PORT: missing although METRICS_HOST is set, so there would be no metrics')
  if (isLocal(publicOrigin)) return errors
  if (!billing && !ofStripe && !settings.DEMO_MODE)
    errors.push(
      'BILLING: say off for a server without plans, demo to give plans away, or set STRIPE_SECRET_KEY to charge cards',
    )
  if (secretKey && publishableKey && !webhookSecret)
    errors.push('STRIPE_WEBHOOK_SECRET: missing, so what is paid or given back would be noticed late or never')
  if (!publicOrigin.startsWith('https:'))
    errors.push(
      'PUBLIC_ORIGIN: must be https, for browsers allow installing, offline use and push on nothing else but localhost',
    )
  // This server speaks plain http behind a proxy: without the setting the proxy's address would be every caller's.
  if (settings.TRUST_PROXY === undefined)
    errors.push(
      'TRUST_PROXY: say how many reverse proxies stand in front and set X-Forwarded-For, nearly always 1, or 0 when callers keep their own address; taken for one address, all people together could be locked out by a single one',
    )
  return errors
}

const isTestKey = (key: string) => key.split('_')[1] === 'test'

export function isLocal(origin: string): boolean {
  const { hostname } = new URL(origin)
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1' || hostname === '[::1]'
}

/** Tells whether other machines can reach a server that listens on `host`. */
export const isReachable = (host: string): boolean => !['127.0.0.1', '::1', 'localhost'].includes(host)

/** Completed by `.env` in the working folder; variables that are set win. */
export function readEnvironment(): Record<string, string | undefined> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return process.env
}
