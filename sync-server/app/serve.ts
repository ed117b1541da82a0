import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Logger } from 'pino'
import { createAccountTasks } from '../accounts/account-mails.ts'
import { countLiveAccounts, hasDemo, listDemoEmails } from '../personal-data/demo-accounts.ts'
import { createPasswords } from '../accounts/passwords.ts'
import { createApp, listen, type App } from './app.ts'
import { startCleanUp } from './clean-up.ts'
import { createPaymentService, type PaymentService } from '../billing/payment-service.ts'
import { createPaymentTasks } from '../billing/begin-payment.ts'
import { isLocal, isReachable, type Config } from '../config.ts'
import { startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts'
import { createOpeningTasks } from '../events/opening.ts'
import { noticeFailover, recogniseDatabase } from './database-went-back.ts'
import { createKnex } from '../db/knex-config.ts'
import { createPatience, DatabaseUnusable, findMissingTimeLimits, type Patiently } from '../db/reach-database.ts'
import { migrate } from '../db/migrate.ts'
import { demoAccounts, demoPassword, seedDemo } from '../db/seeds/seed-demo.ts'
import { createHandlers, createPushTasks, mailRenderers, publishEverything } from './nouns.ts'
import type { DemoAccount } from '../http/pages/server-files.ts'
import { createLogger } from '../http/log.ts'
import { startWorker } from '../jobs/worker.ts'
import { createMailTransport } from '../mail/create-mail-transport.ts'
import type { MailTransport } from '../mail/mail-transport.ts'
import { createMailTasks, startAbandonedMailCheck } from '../mail/mail-tasks.ts'
import { startReminders } from '../applications/mails/reminders.ts'

const IN_FLIGHT_MS = 10_000

export interface RunningServer {
  readonly log: Logger
  readonly origin: string
  /**
   * Readiness red, jobs ended, and after the grace streams and running calls ended; then everything is closed in
   * reverse order.
   */
  stop(): Promise<void>
}

/**
 * @param say for the screen, not for the log
 * @param sayAfterMs of waiting for the database
 * @throws PortUnavailable, DatabaseUnusable; then nothing is left open
 */
export async function serve(
  given: Config,
  say: (text: string) => void,
  { sayAfterMs = 3_000 } = {},
): Promise<RunningServer> {
  const log = createLogger(given.logLevel)
  const { databaseWaitMs: waitMs } = given
  const patiently = createPatience({ waitMs, sayAfterMs, say: (line) => say(`\n  ${line}\n`) })
  const closers: (() => unknown)[] = []
  const closeAll = async () => {
    for (const close of closers.toReversed()) await close()
  }
  try {
    const embedded =
      given.databaseUrl === null
        ? await startEmbeddedPostgres({
            dataDir: given.dataDir,
            log: (message) => log.info(message),
            waitMs,
            patiently,
          })
        : undefined
    closers.push(() => embedded?.stop())
    const db = createKnex(given.databaseUrl ?? embedded?.connectionString ?? '', {
      poolSize: given.databasePool,
      directUrl: given.databaseDirectUrl,
    })
    closers.push(() => db.destroy())
    const { config, demo } = await readyDatabase(db, given, log, patiently)
    const mail = createMailTransport(db, config)
    closers.push(() => mail.close())
    const payments = await createPaymentService(config)
    const handlers = createHandlers({ passwords: createPasswords(), mail, payments })
    const parts = { db, config, log, handlers, payments, demoAccounts: demo }
    const app = await patiently(() => createApp(parts))
    closers.push(() => app.close())
    const metricsServer =
      config.metricsPort === null ? undefined : await app.metrics.listen(config.metricsPort, config.metricsHost)
    closers.push(() => metricsServer?.close())
    const { server, origin } = await listen(app, config)
    if (!mail.isSetUp) log.warn('no mail server is set up (SMTP_URL): mails wait and are sent once there is one')
    const stopJobs = config.role === 'web' ? undefined : startJobs({ db, config, log, mail, payments })

    const warned = warnings(config, { wasToBeDemo: given.demoAccounts })
    say(greeting(config.port === 0 ? origin : config.publicOrigin, demo, warned))
    return {
      log,
      origin,
      stop: async () => {
        await Promise.all([endCalls(server, app, config.shutdownGraceMs), stopJobs?.()])
        await closeAll()
      },
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

interface JobParts {
  readonly db: Knex
  readonly config: Config
  readonly log: Logger
  readonly mail: MailTransport
  readonly payments: PaymentService | null
}

/** Starts jobs, reminders and what removes the expired, until the answer is called. */
function startJobs({ db, config, log, mail, payments }: JobParts): () => Promise<void> {
  const worker = startWorker(
    db,
    {
      ...createPushTasks({ db, config, log }),
      ...createMailTasks({ db, config, log, transport: mail, renderers: mailRenderers }),
      ...createAccountTasks({ db }),
      ...createOpeningTasks({ db }),
      ...createPaymentTasks({ db, service: payments, log }),
    },
    log,
    // Mails of the time that a failover lost have to wait for a person.
    { beforeLook: () => noticeFailover(db, log) },
  )
  const stopTending = startAbandonedMailCheck(db, log)
  const stopReminders = startReminders(db, log)
  const stopCleanUp = startCleanUp(db, log)
  return async () => {
    stopTending()
    stopReminders()
    await Promise.all([worker.stop(), stopCleanUp()])
  }
}

async function readyDatabase(
  db: Knex,
  given: Config,
  log: Logger,
  patiently: Patiently,
): Promise<{ config: Config; demo: readonly DemoAccount[] }> {
  const migrations = await patiently(() => migrate(db, { say: (message) => log.warn(message) }))
  if (migrations.length > 0) log.info({ migrations }, 'the database was brought up to date')
  const wentBack = await patiently(() => recogniseDatabase(db))
  const unlimited = await patiently(() => findMissingTimeLimits(db))
  if (unlimited.length > 0)
    log.warn(
      { settings: unlimited },
      'connections come without these time limits: give them to the role, as docs/operating.md says under "Pooler"',
    )
  if (wentBack)
    log.warn(wentBack, 'this is another database than at the last start, and may have lost its newest changes')
  const config = await patiently(() => withoutDemoBesidePeople(db, given))
  if (!config.demoAccounts && (await patiently(() => hasDemo(db))))
    throw new DatabaseUnusable(demoIsThere, { isSetting: true })
  return { config, demo: config.demoAccounts ? await patiently(() => openDemo(db, log)) : [] }
}

const demoIsThere =
  'The data of a demo is in this database, and the passwords of its accounts are published: npm run demo -- --remove deletes it.'

/**
 * Without settings a live server's database would be served as a demo, with plans given away and mails kept: a database
 * with live accounts has none.
 */
async function withoutDemoBesidePeople(db: Knex, config: Config): Promise<Config> {
  if (!config.demoAccounts || (await countLiveAccounts(db)) === 0) return config
  const billing = config.billing === 'demo' ? 'stripe' : config.billing
  return { ...config, demoMode: false, demoAccounts: false, billing }
}

/** @returns the accounts that may be tried */
async function openDemo(db: Knex, log: Logger): Promise<DemoAccount[]> {
  if (await seedDemo(db, new Date(), publishEverything)) log.info('filled the empty database with the demo')
  const there = await listDemoEmails(db)
  return listDemoAccounts().filter(({ email }) => there.includes(email))
}

function listDemoAccounts(): DemoAccount[] {
  const { olivia, otto, ada } = demoAccounts
  return [
    { role: 'Organizer', email: olivia.email, password: demoPassword },
    { role: 'Organizer whose plan is used up', email: otto.email, password: demoPassword },
    { role: 'Admin', email: ada.email, password: demoPassword },
  ]
}

function warnings(
  { publicOrigin, contactEmail, demoAccounts, host, billing, stripeSecretKey, dataDir }: Config,
  { wasToBeDemo }: { readonly wasToBeDemo: boolean },
): string[] {
  return [
    ...(process.getuid?.() === 0
      ? [
          `Beaconry runs as root, so a flaw in it could open the whole machine. Start it as an ordinary user who owns ${dataDir} with all its files; sync-server/deploy/beaconry.service shows how.`,
        ]
      : []),
    ...(wasToBeDemo && !demoAccounts
      ? [
          `People made accounts on this server while it was no demo, so this start is no demo either: ${billing === 'off' ? '' : 'plans are not given away (DEMO_MODE=0 with BILLING=demo does that), and '}mails wait for SMTP_URL. Another DATA_DIR, or DATABASE_URL, has room for a demo.`,
        ]
      : []),
    ...(demoAccounts && isReachable(host)
      ? [`HOST=${host}: other machines can reach this demo, and its passwords are published. Do not use it for real.`]
      : []),
    ...(billing === 'stripe' && stripeSecretKey === null && isReachable(host)
      ? [
          `HOST=${host}: other machines can reach this server, so it is no demo unless DEMO_MODE=1 says so. No plan can be had on it: set BILLING, or the keys of Stripe.`,
        ]
      : []),
    ...(contactEmail === null && !isLocal(publicOrigin)
      ? [
          'CONTACT_EMAIL is not set: people are told no address to write to about their account, their data or a security problem.',
        ]
      : []),
  ]
}

function greeting(address: string, accounts: readonly DemoAccount[], warned: readonly string[]): string {
  const people = accounts.map(({ role, email, password }) => `    ${email.padEnd(20)} ${password}   ${role}\n`).join('')
  const demo = people === '' ? '' : `\n  A demo with example data; no card is ever charged. Sign in as\n${people}`
  return `\n  Beaconry is ready: ${address}\n${demo}${warned.map((warning) => `\n  ${warning}\n`).join('')}\n`
}

async function endCalls(server: Server, app: App, graceMs: number): Promise<void> {
  app.leave()
  await delay(graceMs)
  app.drain()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // Node closes only those that are idle now.
  const closing = setInterval(() => server.closeIdleConnections(), 50)
  const impatience = setTimeout(() => server.closeAllConnections(), IN_FLIGHT_MS)
  await closed
  clearTimeout(impatience)
  clearInterval(closing)
}
