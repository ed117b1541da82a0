import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright/test'
import type { Organizer, Stage } from '../../sync-server/bench/stage.ts'
import { chromiumLaunch } from '../e2e/chromium.ts'
import { readyForOffline } from '../e2e/journey.ts'

export async function openBrowser(): Promise<Browser> {
  return await chromium.launch(chromiumLaunch)
}

/** A browser that was never here. */
export async function openContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  // The compiler of this script wraps named functions in a call that only this script's own runtime knows.
  await context.addInitScript('globalThis.__name = (wrapped) => wrapped')
  return context
}

/** A device that is signed in already; its service worker is in charge of the page. */
export async function openDevice(
  browser: Browser,
  origin: string,
  cookie: string,
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await openContext(browser, {
    baseURL: origin,
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
  })
  await context.addCookies([{ name: 'sid', value: cookie, url: origin, httpOnly: true, sameSite: 'Strict' }])
  return { context, page: await context.newPage() }
}

/** Opens the screen where an event's applications are decided, and waits for its rows. */
export async function openManage(page: Page, eventId: number): Promise<void> {
  await page.goto(`/events/manage/${eventId}`)
  await page.locator('[data-row]').first().waitFor()
}

/** Opens the screen of an organizer of its own with so many applications, and takes the network away. */
export async function openCrowdOffline(
  browser: Browser,
  stage: Stage,
  applications: number,
): Promise<{ organizer: Organizer; context: BrowserContext; page: Page }> {
  const organizer = await stage.addOrganizer(applications)
  const { context, page } = await openDevice(browser, stage.server.origin, await stage.signIn(organizer.userId))
  await openManage(page, organizer.eventId)
  await readyForOffline(page)
  await page.getByRole('button', { name: `All ${applications}` }).waitFor()
  // What the page fetches ahead after its first visit is not measured.
  await page.waitForTimeout(2000)
  await context.setOffline(true)
  return { organizer, context, page }
}
