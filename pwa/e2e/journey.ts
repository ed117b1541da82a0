import type { Knex } from 'knex'
import { expect, test as base, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright/test'
import { createKnex } from '../../sync-server/db/knex-config.ts'
import { startPgBouncer } from '../../sync-server/testing/pg-bouncer.ts'
import { prepareServerProcess, type ServerProcess } from '../../sync-server/testing/server-process.ts'
import { cloneTemplate } from '../../sync-server/testing/template-database.ts'
import type { Timings } from '../browser/timings.ts'
import { chromiumLaunch } from './chromium.ts'

export { expect } from 'playwright/test'

/** The demo's people; their password is the demo's. */
export const olivia = { email: 'olivia@example.com', password: 'beaconry-demo', username: 'olivia' }
export const ada = { email: 'ada@example.com', password: 'beaconry-demo', username: 'ada' }
export const otto = { email: 'otto@example.com', password: 'beaconry-demo', username: 'otto' }

/** A phone or computer of its own: nothing is shared with another one. */
export interface PersonalDevice {
  readonly context: BrowserContext
  readonly page: Page
}

export interface Journey {
  /** Wall-clock limits that replace the app's own. They are far away where a journey is not about them: machines are slow. */
  timings: Partial<Timings>
  /** Whether the server reaches its database through PgBouncer in transaction mode. */
  isPooled: boolean
  /** Settings of the server beside those every journey has; a file of journeys overrides this fixture. */
  serverEnv: Record<string, string>
  /** The built server with the demo seed on a database of its own; running when the test begins. */
  server: ServerProcess
  database: { readonly connectionString: string; drop(): Promise<void> }
  /** The server's database, for looking, never for acting in the server's place. */
  db: Knex
  /** Another device; closed after the test. */
  device(options?: BrowserContextOptions): Promise<PersonalDevice>
}

const farAway: Partial<Timings> = {
  toastMs: 30_000,
  storagePatienceMs: 30_000,
  undoMs: 30_000,
  leaderQuestionMs: 30_000,
  requestSilenceMs: 120_000,
  streamSilenceMs: 120_000,
  // A server that comes back is noticed at once.
  probeMs: 1_000,
}

/** A database with the demo, or an empty one for a server that is none. */
async function openDatabase(isDemo = true): Promise<Journey['database']> {
  const template = process.env[isDemo ? 'E2E_DEMO_TEMPLATE' : 'E2E_DATABASE_TEMPLATE'] ?? ''
  return await cloneTemplate({ adminUrl: process.env['E2E_DATABASE_ADMIN_URL'] ?? '', template })
}

/** Devices of journeys: where their server is, and whether a service worker may be installed. */
const devices = new WeakMap<BrowserContext, { origin: string; hasWorker: boolean }>()

/**
 * A journey: a test with a server, its database, and as many devices as it asks for. `serviceWorkers: 'block'` where nothing
 * happens offline: a device whose worker keeps the whole app costs three times as much. `page` and `context` are the first one.
 */
export const test = base.extend<Journey>({
  database: async ({ serverEnv }, use) => {
    const database = await openDatabase(serverEnv['DEMO_MODE'] !== '0')
    await use(database)
    await database.drop()
  },
  isPooled: [false, { option: true }],
  timings: [farAway, { option: true }],
  serverEnv: async ({}, use) => use({}),
  server: async ({ database: { connectionString }, serverEnv, isPooled }, use) => {
    const pooler = isPooled ? await startPgBouncer(connectionString) : undefined
    const server = await prepareServerProcess({
      DATABASE_URL: connectionString,
      ...(pooler && { DATABASE_URL: pooler.connectionString, DATABASE_DIRECT_URL: connectionString }),
      ...serverEnv,
    })
    await server.start()
    await use(server)
    await server.kill()
    await pooler?.close()
  },
  db: async ({ database }, use) => {
    const db = createKnex(database.connectionString)
    await use(db)
    await db.destroy()
  },
  device: async ({ browser, server, serviceWorkers, timings }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (options = {}) => {
      const settings = { baseURL: server.origin, serviceWorkers, ...options }
      const context = await browser.newContext(settings)
      await context.addInitScript((given) => Object.assign(globalThis, { beaconryTimings: given }), timings)
      devices.set(context, { origin: settings.baseURL, hasWorker: settings.serviceWorkers !== 'block' })
      contexts.push(context)
      return { context, page: await context.newPage() }
    })
    for (const context of contexts) await context.close()
  },
  context: async ({ device }, use) => use((await device()).context),
  page: async ({ context }, use) => use(context.pages()[0] ?? (await context.newPage())),
})

/** A journey with alerts or Background Sync, which the headless shell does not know. */
export const wholeBrowserTest = test.extend({ launchOptions: [chromiumLaunch, { scope: 'worker' }] })

/**
 * Journeys that share a server and its demo with others, one after the other: they neither kill it nor change what others
 * read, and need no worker.
 */
export const sharingTest = test.extend<object, { common: Pick<Journey, 'server' | 'database'> }>({
  common: [
    async ({}, use) => {
      const database = await openDatabase()
      const server = await prepareServerProcess({ DATABASE_URL: database.connectionString })
      await server.start()
      await use({ server, database })
      await server.kill()
      await database.drop()
    },
    { scope: 'worker' },
  ],
  database: async ({ common }, use) => use(common.database),
  server: async ({ common }, use) => use(common.server),
  serviceWorkers: 'block',
})

/**
 * Signs in and waits for the dashboard: as a person does, until the service worker is in charge; on a new device without
 * a worker by the call that the form makes.
 */
export async function signIn(page: Page, who: { email: string; password: string }): Promise<void> {
  const device = devices.get(page.context())
  const isNew = page
    .context()
    .pages()
    .every((tab) => tab.url() === 'about:blank')
  if (device?.hasWorker === false && isNew) {
    const { email, password } = who
    const headers = { Origin: device.origin }
    const answer = await page.request.post(`${device.origin}/api/login`, { data: { email, password }, headers })
    expect(answer.status(), await answer.text()).toBe(200)
    await page.goto('/dashboard')
    await comeToDashboard(page)
    // A session without storage looks to the app as if the browser had cleared it; the line about it moves every page.
    await page.getByRole('button', { name: 'Understood' }).click()
  } else {
    await page.goto('/auth')
    await submitSignIn(page, who)
    await comeToDashboard(page)
  }
}

/** Waits until someone who comes in is on their dashboard, which would open again without a network. */
export async function comeToDashboard(page: Page): Promise<void> {
  await page.waitForURL('**/dashboard')
  await page.getByRole('heading', { level: 1, name: /^Welcome, / }).waitFor()
  await page.getByText('Loading your events').waitFor({ state: 'hidden' })
  await readyForOffline(page)
}

/** Goes to an address as a link does, without loading the app again. */
export async function goByLink(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

/** Holds back what is asked at an address, until it is let go. */
export async function holdBack(page: Page, address: string | RegExp): Promise<() => void> {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  await page.route(address, async (route) => {
    await held
    await route.continue()
  })
  return letGo
}

/**
 * Sets the clock of a device's pages. Its service worker keeps the machine's own: that decides no day, it only counts
 * how long to wait.
 */
export async function setClock(context: BrowserContext, aheadMs: number): Promise<void> {
  await context.addInitScript((offsetMs) => {
    const Right = Date
    class Wrong extends Right {
      constructor(...args: [] | [number | string]) {
        if (args.length === 0) super(Right.now() + offsetMs)
        else super(...args)
      }
      static override now(): number {
        return Right.now() + offsetMs
      }
    }
    globalThis.Date = Wrong as DateConstructor
  }, aheadMs)
}

/** A message in sight, by its title. */
export const said = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title })

/** Where links in the middle of a page lead. */
export async function expectLinks(page: Page, targets: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, to] of Object.entries(targets))
    await expect(page.getByRole('main').getByRole('link', { name, exact: true }).first()).toHaveAttribute('href', to)
}

/** Fills in the sign-in form that is open, and sends it. */
export async function submitSignIn(page: Page, who: { email: string; password: string }): Promise<void> {
  const form = page.getByRole('tabpanel', { name: 'Sign In' })
  await form.getByLabel('Email').fill(who.email)
  await form.getByLabel('Password', { exact: true }).fill(who.password)
  await form.getByRole('button', { name: 'Sign In', exact: true }).click()
}

/** Asks to be signed out; with changes that wait, or drafts, that is a question first. */
export async function pressSignOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('button', { name: 'Sign Out' }).click()
}

/** Waits until this page would open again without a network; not on a device without a worker. */
export async function readyForOffline(page: Page): Promise<void> {
  if (devices.get(page.context())?.hasWorker === false) return
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller) return
    await new Promise<void>((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true }),
    )
  })
}
