import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, holdBack, olivia, readyForOffline, signIn, sharingTest as test } from '../journey.ts'

const built = path.resolve('dist/pwa')
const budgetBytes = 130_000

/** Files that carry a library, by a text of its own: whatever they are called. */
const carrying = (text: string) => (name: string) => readFileSync(path.join(built, name), 'utf8').includes(text)
const carriesDexie = carrying('MissingAPIError')
const carriesRxdb = carrying('rxdb.info')

test('a first visit costs less than 130 kB of script, no database, nothing of organizers', async ({ device }) => {
  const { context, page } = await device({ serviceWorkers: 'allow' })
  const asked = new Set<string>()
  context.on('request', (request) => {
    // What the service worker stores ahead belongs to the installed app.
    if (request.resourceType() === 'script' && !request.serviceWorker()) asked.add(new URL(request.url()).pathname)
  })
  const scripts = () => [...asked].filter((name) => existsSync(path.join(built, name)))
  const databases = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
  await page.goto('/', { waitUntil: 'networkidle' })
  const seen = scripts()
  const bytes = seen.reduce(
    (total, name) => total + gzipSync(readFileSync(path.join(built, name)), { level: 9 }).length,
    0,
  )
  expect(seen.length).toBeGreaterThan(3)
  expect(bytes).toBeGreaterThan(60_000)
  expect(bytes).toBeLessThanOrEqual(budgetBytes)
  expect(seen.filter(carriesDexie)).toEqual([])
  await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()

  // The list of events is fetched ahead, for a visit without a network, and only then is there something to keep it in.
  await expect.poll(databases).toEqual(['beaconry-browse'])
  const late = await page.evaluate(() => {
    const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const scripts = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/dexie-'))
    return scripts.map(({ startTime }) => startTime - (visit?.loadEventEnd ?? Infinity))
  })
  expect(late.length).toBeGreaterThan(0)
  for (const milliseconds of late) expect(milliseconds).toBeGreaterThan(0)
  await readyForOffline(page)
  expect(await databases(), 'the worker makes none either').toEqual(['beaconry-browse'])

  await page.goto('/events')
  await page
    .getByRole('link', { name: /View Details/ })
    .first()
    .click()
  await page.getByRole('link', { name: 'Apply to be a Beacon' }).click()
  await expect(page.getByLabel('First Name')).toBeVisible()
  expect(scripts().filter(carriesRxdb)).toEqual([])
  expect((await databases()).filter((name) => name?.includes('rxdb'))).toEqual([])
  await signIn(page, olivia)
  await expect(page.getByRole('link', { name: /Manage Event/ }).first()).toBeVisible()
  expect(scripts().filter(carriesRxdb).length, 'an organizer’s does: the check above can find it').toBeGreaterThan(0)
})

test('a tab of a visitor follows when another tab signs in', async ({ context, page }) => {
  await page.goto('/', { waitUntil: 'networkidle' })
  await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()
  const other = await context.newPage()
  await signIn(other, olivia)
  await expect(page.getByRole('link', { name: 'Sign In' })).toHaveCount(0)
})

test('a first visit whose scripts do not arrive says so, and is tried again by a press @nightly', async ({
  device,
}) => {
  const { page } = await device({ serviceWorkers: 'block' })
  const scripts = '**/assets/react-*.js'
  await page.route(scripts, (route) => route.abort())
  await page.goto('/')
  await expect(page.getByRole('alert')).toHaveText('Beaconry could not be loaded. Try again')
  await page.unroute(scripts)
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('the app’s files come once the first copy of an account is there', async ({ device, server }) => {
  const { page } = await device({ serviceWorkers: 'allow' })
  const { email, password } = olivia
  await page.request.post('/api/login', { data: { email, password }, headers: { Origin: server.origin } })
  const arrive = await holdBack(page, '**/api/sync/pull?*')
  await page.addInitScript(() => {
    const workers = navigator.serviceWorker
    const register = workers.register.bind(workers)
    Object.assign(window, { registered: 0 })
    workers.register = (...of) => {
      Object.assign(window, { registered: 1 })
      return register(...of)
    }
  })
  const isRegistered = () => page.evaluate(() => 'registered' in window && window.registered === 1)
  await page.clock.install()
  await page.goto('/dashboard')
  await expect(page.getByText('Loading your events')).toBeAttached()
  await page.clock.fastForward(5_000)
  expect(await isRegistered()).toBe(false)
  arrive()
  await expect.poll(isRegistered).toBe(true)
  await readyForOffline(page)
})
