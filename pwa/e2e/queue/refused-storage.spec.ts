import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { chromium, type BrowserContext, type Page } from 'playwright/test'
import { apply, bea, openEvent } from '../applications/application-form.ts'
import { chromiumLaunch } from '../chromium.ts'
import { expect, olivia, submitSignIn, test } from '../journey.ts'

/** Ways in which a browser keeps nothing; each runs in the page before the app. */
const refusals = {
  'does not open': () => {
    class Refused extends EventTarget {
      readonly readyState = 'done'
      readonly error = new DOMException('A mutation operation was attempted.', 'InvalidStateError')
      set onerror(listener: (event: Event) => void) {
        this.addEventListener('error', listener)
      }
    }
    IDBFactory.prototype.open = () => {
      const request = new Refused()
      setTimeout(() => request.dispatchEvent(new Event('error')))
      return request as unknown as IDBOpenDBRequest
    }
  },
  'throws when it is opened': () => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('The user denied permission to access the database.', 'UnknownError')
    }
  },
  'aborts what is written': () => {
    const { transaction } = IDBDatabase.prototype
    IDBDatabase.prototype.transaction = function (...args) {
      const begun = transaction.apply(this, args)
      if (begun.mode === 'readwrite') queueMicrotask(() => begun.abort())
      return begun
    }
  },
  'does not answer': () => {
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest
  },
}

test.use({ timings: {}, serviceWorkers: 'block' })

/** Nothing on the screen is the browser's own word for it, and the server is not blamed. */
async function expectOurWords(page: Page): Promise<void> {
  const text = await page.locator('body').innerText()
  expect(text).not.toMatch(/mutation operation|user denied|transaction was aborted|cannot be reached|far away/i)
}

/** The others go the same ways. */
const inGate = new Set(['does not answer'])

for (const [how, refuse] of Object.entries(refusals))
  test(`storage that ${how} does not stop reading, applying and signing in${inGate.has(how) ? '' : ' @nightly'}`, async ({
    device,
    db,
  }) => {
    const { page } = await device()
    await page.addInitScript(refuse)
    const event = await openEvent(db)
    await page.goto('/events')
    await expect(page.getByRole('link', { name: event.name }).first()).toBeVisible()
    await expectOurWords(page)
    await apply(page, event.id, bea)
    await expectOurWords(page)
    expect(await db('applications').where({ email: bea.email })).toHaveLength(1)
    await page.goto('/auth')
    await submitSignIn(page, olivia)
    await page.waitForURL('**/dashboard')
    await expect(page.getByRole('link', { name: /Manage Event/ }).first()).toBeVisible()
    await expectOurWords(page)
  })

/** A browser in which every site's cookies and data are blocked, by the browser's own setting. */
async function blockingBrowser(folder: string, baseURL: string): Promise<BrowserContext> {
  mkdirSync(path.join(folder, 'Default'), { recursive: true })
  const preferences = { profile: { default_content_setting_values: { cookies: 2 } } }
  writeFileSync(path.join(folder, 'Default', 'Preferences'), JSON.stringify(preferences))
  return await chromium.launchPersistentContext(folder, { ...chromiumLaunch, baseURL })
}

test('with all site data blocked reading and applying work, and sign-in says what to change', async ({
  server,
  db,
}, info) => {
  const context = await blockingBrowser(info.outputPath('profile'), server.origin)
  const page = await context.newPage()
  const event = await openEvent(db)
  await page.goto('/events')
  expect(
    await page.evaluate(() =>
      indexedDB.databases().then(
        () => 'open',
        () => 'blocked',
      ),
    ),
  ).toBe('blocked')
  await expect(page.getByRole('link', { name: event.name }).first()).toBeVisible()
  await expectOurWords(page)
  await apply(page, event.id, bea)
  await expectOurWords(page)
  expect(await db('applications').where({ email: bea.email })).toHaveLength(1)
  await page.goto('/auth')
  await submitSignIn(page, olivia)
  await expect(page.getByText(/cookies/i).first()).toBeVisible()
  await expectOurWords(page)
  await context.close()
})
