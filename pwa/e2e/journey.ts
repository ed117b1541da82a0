import type { Knex } from 'knex'
import { test as base, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright/test'
import { createKnex } from '../../sync-server/db/knex-config.ts'
import { prepareServerProcess, type ServerProcess } from '../../sync-server/testing/server-process.ts'
import { cloneTemplate } from '../../sync-server/testing/template-database.ts'

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
  /** Settings of the server beside those every journey has; a file of journeys overrides this fixture. */
  serverEnv: Record<string, string>
  /** The built server with the demo seed on a database of its own; running when the test begins. */
  server: ServerProcess
  /** The server's database, for looking, never for acting in the server's place. */
  db: Knex
  /** Another device; closed after the test. */
  device(options?: BrowserContextOptions): Promise<PersonalDevice>
}

/** A journey: a test with a server, its database, and as many devices as it asks for. */
export const test = base.extend<Journey & { database: { connectionString: string } }>({
  database: async ({}, use) => {
    const adminUrl = process.env['E2E_DATABASE_ADMIN_URL'] ?? ''
    const template = process.env['E2E_DATABASE_TEMPLATE'] ?? ''
    const clone = await cloneTemplate({ adminUrl, template })
    await use(clone)
    await clone.drop()
  },
  serverEnv: async ({}, use) => use({}),
  server: async ({ database, serverEnv }, use) => {
    const server = await prepareServerProcess({ DATABASE_URL: database.connectionString, ...serverEnv })
    await server.start()
    await use(server)
    await server.kill()
  },
  db: async ({ database }, use) => {
    const db = createKnex(database.connectionString)
    await use(db)
    await db.destroy()
  },
  device: async ({ browser, server }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (options = {}) => {
      const opened = await openDevice(browser, server, options)
      contexts.push(opened.context)
      return opened
    })
    for (const context of contexts) await context.close()
  },
})

async function openDevice(
  browser: Browser,
  server: ServerProcess,
  options: BrowserContextOptions,
): Promise<PersonalDevice> {
  const context = await browser.newContext({ baseURL: server.origin, serviceWorkers: 'allow', ...options })
  const page = await context.newPage()
  return { context, page }
}

/** Signs in as a person does, and waits for the dashboard and for the service worker to be in charge. */
export async function signIn(page: Page, who: { email: string; password: string }): Promise<void> {
  await page.goto('/auth')
  await submitSignIn(page, who)
  await page.waitForURL('**/dashboard')
  await readyForOffline(page)
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

/** Waits until this page would open again without a network. */
export async function readyForOffline(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller) return
    await new Promise<void>((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true }),
    )
  })
}
