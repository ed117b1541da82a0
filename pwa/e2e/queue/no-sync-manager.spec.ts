import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { type Applicant, busiestEvent, decisionOf, expectDecidedOnce, underWay } from '../applications/applicants.ts'
import { expect, olivia, test as base } from '../journey.ts'

const executablePath = process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr'

/** Firefox, which has no Background Sync, with a profile of its own. */
const test = base.extend<{ firefox: Browser }>({
  firefox: async ({}, use) => {
    const userDataDir = mkdtempSync(path.join(os.tmpdir(), 'beaconry-firefox-'))
    const firefox = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true, userDataDir })
    await use(firefox)
    await firefox.close()
    rmSync(userDataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  },
})

const patience = { timeout: 30_000 }

async function signIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/auth`)
  await page.locator('input[name="email"]').fill(olivia.email)
  await page.locator('input[name="password"]').fill(olivia.password)
  await page.locator('form button[type="submit"]').click()
  await page.waitForFunction(() => location.pathname === '/dashboard', patience)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, patience)
}

/**
 * Opens an address as the address bar does. Firefox's remote protocol takes the end of the document that is left for the
 * end of the one that is opened, when that is still loading: `goto` fails with NS_BINDING_ABORTED, the page does not.
 */
async function open(page: Page, address: string): Promise<void> {
  await page.evaluate((url) => {
    Object.assign(window, { leaving: true })
    setTimeout(() => location.assign(url))
  }, address)
  const arrived = () => page.evaluate(() => !('leaving' in window) && document.readyState === 'complete')
  await expect.poll(() => arrived().catch(() => false), patience).toBe(true)
}

const textOf = (page: Page, selector: string) =>
  page.$eval(selector, (element) => element.textContent ?? '').catch(() => '')

const rowOf = (applicant: Applicant) => `[data-row="${applicant.id}"]`

async function press(page: Page, label: string): Promise<void> {
  // By keyboard: in this browser's small window the bar with Undo may lie over the next row.
  const button = await page.locator(`[aria-label="${label}"]`).setTimeout(patience.timeout).waitHandle()
  await button.press('Enter')
}

test('without Background Sync the queue drains from an open page, once @nightly', async ({ firefox, server, db }) => {
  const { eventId, pending } = await busiestEvent(db)
  const [ana, ben, cleo] = pending
  const manage = `${server.origin}/events/manage/${eventId}`
  const page = await firefox.newPage()
  await signIn(page, server.origin)
  await open(page, manage)
  await expect.poll(() => textOf(page, rowOf(ana)), patience).toContain('Pending')
  expect(await page.evaluate(() => 'SyncManager' in window), 'this browser has no Background Sync').toBe(false)

  await server.kill()
  await open(page, manage)
  await expect.poll(() => textOf(page, rowOf(ana)), patience).toContain('Pending')
  await press(page, `Approve ${ana.name}`)
  await expect.poll(() => textOf(page, rowOf(ana))).toMatch(/Approved.*saved on this device/s)
  await press(page, `Reject ${ben.name}`)
  await expect.poll(() => textOf(page, rowOf(ben))).toMatch(/Rejected.*saved on this device/s)
  const elsewhere = await firefox.newPage()
  await page.close()

  await server.start()
  expect((await decisionOf(db, ana))?.status, 'nobody sends while no page is open').toBe('pending')

  await open(elsewhere, manage)
  await expectDecidedOnce(db, ana, 'approved')
  await expectDecidedOnce(db, ben, 'rejected')
  await expect.poll(() => textOf(elsewhere, rowOf(ana)), patience).not.toMatch(underWay)
  expect(await textOf(elsewhere, rowOf(ana))).toContain('Approved')

  await server.kill()
  await press(elsewhere, `Approve ${cleo.name}`)
  await expect.poll(() => textOf(elsewhere, rowOf(cleo))).toMatch(/Approved.*saved on this device/s)
  const other = await firefox.newPage()
  await other.bringToFront()
  await expect.poll(() => elsewhere.evaluate(() => document.visibilityState)).toBe('hidden')
  await server.start()
  await elsewhere.bringToFront()
  await expect.poll(() => elsewhere.evaluate(() => document.visibilityState)).toBe('visible')
  await expectDecidedOnce(db, cleo, 'approved')
  await expect.poll(() => textOf(elsewhere, rowOf(cleo)), patience).not.toMatch(underWay)
  await expectDecidedOnce(db, ana, 'approved')
})
