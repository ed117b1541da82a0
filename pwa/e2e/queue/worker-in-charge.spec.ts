import type { Page } from 'playwright/test'
import {
  expect,
  olivia,
  pressSignOut,
  readyForOffline,
  signIn,
  storageEmptied,
  submitSignIn,
  test,
} from '../journey.ts'

const hasWorker = (page: Page) => page.evaluate(() => navigator.serviceWorker.controller !== null)
const hasActiveWorker = (page: Page) =>
  page.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration())?.active))

/** Whether the page opens without the server, which only a worker in charge brings about. */
async function opensOffline(page: Page, server: { kill(): Promise<void>; start(): Promise<void> }): Promise<void> {
  await server.kill()
  await page.goto('/auth')
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  await server.start()
}

test('a page opened while the old worker is being removed soon has one', async ({ context, page, server }) => {
  await page.goto('/')
  await readyForOffline(page)
  // It stays until this page is closed; who registers meanwhile gets it back, active, and in charge of nothing new.
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    await registration.unregister()
  })
  const next = await context.newPage()
  await next.goto('/auth')
  await expect.poll(() => hasWorker(next)).toBe(true)
  await page.close()
  await opensOffline(next, server)
})

test('a registration that the browser drops is made again @nightly', async ({ context, page, server }) => {
  await context.addInitScript(() => {
    const workers = navigator.serviceWorker
    const register = workers.register.bind(workers)
    let dropped = 0
    workers.register = async (...args) => {
      // As Chromium answers a registration that begins while the storage is being emptied.
      if (++dropped <= 2) throw new DOMException('Failed to register a ServiceWorker: aborted', 'AbortError')
      return await register(...args)
    }
  })
  await page.goto('/auth')
  await expect.poll(() => hasWorker(page)).toBe(true)
  await opensOffline(page, server)
})

test('a worker whose files are gone is replaced by one that has them @nightly', async ({ context, page, server }) => {
  await page.goto('/')
  await readyForOffline(page)
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    await registration.unregister()
    for (const name of await caches.keys()) await caches.delete(name)
  })
  const next = await context.newPage()
  await next.goto('/auth')
  // Not `ready`: a page that asks for it before the browser has decided to keep the registration waits for ever.
  await expect.poll(() => hasActiveWorker(next)).toBe(true)
  await page.close()
  await expect.poll(() => hasWorker(next)).toBe(true)
  await opensOffline(next, server)
})

test('a page opened while the cache answers nothing comes by the network @nightly', async ({ context, page }) => {
  await page.goto('/')
  await readyForOffline(page)
  const [worker] = context.serviceWorkers()
  // As Chromium does in the moment in which the storage is being emptied.
  await worker?.evaluate(() => {
    const never = () => new Promise<never>(() => undefined)
    caches.match = never
    caches.open = never
  })
  const next = await context.newPage()
  await next.goto('/auth')
  await expect(next.getByRole('tab', { name: 'Sign In' })).toBeVisible()
})

test('after a sign-out that empties the storage the next sign-in has a worker @nightly', async ({ page, server }) => {
  test.setTimeout(300_000)
  await signIn(page, olivia)
  const offer = page.getByRole('region', { name: 'Get an alert when someone applies' })
  await offer.getByRole('button', { name: 'Not now' }).click()
  for (let time = 0; time < 5; time += 1) {
    await page.evaluate(async () => {
      localStorage.setItem('theme', 'dark')
      await caches.open('left by nobody')
    })
    const emptied = storageEmptied(page)
    await pressSignOut(page)
    expect(await emptied).toBe('"storage"')
    expect(await page.evaluate(() => caches.has('left by nobody'))).toBe(false)
    expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('dark')
    // Not a moment is left to the browser.
    await page.goto('/auth')
    await submitSignIn(page, olivia)
    await page.waitForURL('**/dashboard')
    // A menu that is opened before the new screen is painted closes with the old one.
    await expect(page.getByRole('heading', { name: 'Welcome, olivia' })).toBeVisible()
    await expect.poll(() => hasWorker(page)).toBe(true)
    await expect(page.getByText('has cleared what Beaconry kept'), 'nothing was lost').toHaveCount(0)
    await expect(offer).toHaveCount(0)
  }
  await server.kill()
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Welcome, olivia' })).toBeVisible()
})
