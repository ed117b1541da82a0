import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright/test'
import sharp from 'sharp'
import { createKnex } from '../../sync-server/db/knex-config.ts'
import { prepareServerProcess, type ServerProcess } from '../../sync-server/testing/server-process.ts'
import { cloneTemplate, startTemplateDatabase } from '../../sync-server/testing/template-database.ts'
import { chromiumLaunch } from './chromium.ts'
import { olivia, signIn, type PersonalDevice } from './journey.ts'
import { findDemoIds, viewers } from './screens.ts'

/*
 * Pictures of every screen in two sizes and two themes, for people to look at, in dist/screenshots:
 *   npm run screenshots
 * and those of the install dialog, the README and link previews, in public:
 *   npm run screenshots -- --publish
 */

const sizes = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  desktop: { viewport: { width: 1280, height: 800 } },
} as const satisfies Record<string, BrowserContextOptions>

const template = await startTemplateDatabase(process.env['TEST_DATABASE_URL'])
const browser = await chromium.launch(chromiumLaunch)
try {
  await (process.argv.includes('--publish') ? publish(browser) : takeAll(browser))
} finally {
  await browser.close()
  await template.stop()
}

/** A server with the demo, for one series of pictures. */
async function withServer(
  work: (server: ServerProcess, ids: Awaited<ReturnType<typeof findDemoIds>>) => Promise<void>,
): Promise<void> {
  const clone = await cloneTemplate(template)
  const server = await prepareServerProcess({ DATABASE_URL: clone.connectionString })
  const db = createKnex(clone.connectionString)
  try {
    await server.start()
    await work(server, await findDemoIds(db))
  } finally {
    await server.kill()
    await db.destroy()
    await clone.drop()
  }
}

async function open(from: Browser, server: ServerProcess, options: BrowserContextOptions): Promise<PersonalDevice> {
  const context: BrowserContext = await from.newContext({
    baseURL: server.origin,
    locale: 'en-US',
    reducedMotion: 'reduce',
    ...options,
  })
  // Functions that are sent into the page name themselves by this helper of the compiler.
  await context.addInitScript('globalThis.__name = (named) => named')
  return { context, page: await context.newPage() }
}

async function takeAll(from: Browser): Promise<void> {
  for (const [size, viewport] of Object.entries(sizes))
    for (const colorScheme of ['light', 'dark'] as const)
      await withServer(async (server, ids) => {
        for (const { comeIn, screens } of viewers(ids)) {
          const { page, context } = await open(from, server, { ...viewport, colorScheme })
          await comeIn(page)
          for (const screen of screens) {
            await screen.open(page)
            // The whole page, from its top, or the window where a dialog stands over it.
            const fullPage = (await page.locator('dialog:modal').count()) === 0
            if (fullPage) await page.evaluate(() => scrollTo(0, 0))
            const file = path.resolve('dist/screenshots', `${size}-${colorScheme}`, `${screen.name}.png`)
            await page.screenshot({ path: file, fullPage })
          }
          await context.close()
        }
      })
}

/** Opens the applicants with the server dead and decides about three of them. */
async function decideWithoutServer(page: Page, eventId: number): Promise<void> {
  await page.goto(`/events/manage/${eventId}`)
  await page.locator('[data-row]').first().waitFor()
  const rows = await page.locator('[data-row]').evaluateAll((all) => all.map((row) => row.getAttribute('data-row')))
  for (const [place, decision] of ['Approve', 'Approve', 'Reject'].entries()) {
    const row = page.locator(`[data-row="${rows[place]}"]`)
    await row.getByRole('button', { name: new RegExp(`^${decision} `) }).click()
    await row.getByText('saved on this device').waitFor()
  }
}

/** The three pictures in public/screenshots, in the sizes the manifest names. */
async function publish(from: Browser): Promise<void> {
  const folder = path.resolve('public/screenshots')
  mkdirSync(folder, { recursive: true })
  const narrow: BrowserContextOptions = {
    viewport: { width: 360, height: 640 },
    deviceScaleFactor: 3,
    hasTouch: true,
    isMobile: true,
    colorScheme: 'light',
  }
  const wide: BrowserContextOptions = {
    viewport: { width: 1280, height: 720 },
    deviceScaleFactor: 1.5,
    colorScheme: 'light',
  }
  const save = async (page: Page, name: string) =>
    writeFileSync(path.join(folder, `${name}.png`), await smaller(await page.screenshot()))
  await withServer(async (server, ids) => {
    await publishLinkPreview(from, server)
    const visitor = await open(from, server, narrow)
    await visitor.page.goto(`/events/${ids.published}`)
    await visitor.page.getByRole('heading', { name: 'Meet the Beacons' }).waitFor()
    await save(visitor.page, 'event-narrow')

    const phone = await open(from, server, narrow)
    await signIn(phone.page, olivia)
    const desktop = await open(from, server, wide)
    await signIn(desktop.page, olivia)
    for (const { page } of [phone, desktop]) {
      await page.goto(`/events/manage/${ids.managed}`)
      await page.locator('[data-row]').first().waitFor()
    }
    await server.kill()
    const views = [
      { page: phone.page, name: 'manage-narrow', above: 190 },
      { page: desktop.page, name: 'manage-wide', above: 316 },
    ]
    for (const { page, name, above } of views) {
      await decideWithoutServer(page, ids.managed)
      const first = page.locator('[data-row]').first()
      await first.evaluate(
        (row, px) => window.scrollTo(0, row.getBoundingClientRect().top + window.scrollY - px),
        above,
      )
      await save(page, name)
    }
  })
}

/** What is shown beside a link to us: the brand, the promise and the hall, as the landing page draws them. */
async function publishLinkPreview(from: Browser, server: ServerProcess): Promise<void> {
  const { page, context } = await open(from, server, { viewport: { width: 1200, height: 630 }, colorScheme: 'dark' })
  await page.goto('/')
  await page.getByRole('link', { name: 'See How It Works' }).waitFor()
  await page.evaluate(async () => {
    await document.fonts.ready
    const nav = document.querySelector('header nav')
    for (const element of [nav, nav?.nextElementSibling, document.querySelector('main a')?.parentElement])
      if (element instanceof HTMLElement) element.style.display = 'none'
  })
  writeFileSync(path.resolve('public/link-preview.png'), await smaller(await page.screenshot()))
  await context.close()
}

/** The same picture, deflated as tightly as can be; browsers save theirs in a hurry. */
async function smaller(png: Buffer): Promise<Buffer> {
  return await sharp(png).png({ compressionLevel: 9 }).toBuffer()
}
