import type { Locator, Page } from 'playwright/test'
import { expect, readyForOffline, sharingTest as test } from '../journey.ts'
import { answerNoEvents } from './search-screens.ts'

const cards = (page: Page): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name: /View Details/ }) })
const names = (page: Page) => cards(page).getByRole('heading').allTextContents()
const search = (page: Page) => page.getByRole('searchbox')
const nothing = (page: Page) => page.getByText('No events match your search criteria.')

test('events are found by text, state and distance, by the address, by Back, and offline', async ({ device }) => {
  // The days on the cards are those of the places, wherever the reader is.
  const { context, page } = await device({
    viewport: { width: 1280, height: 800 },
    timezoneId: 'Asia/Tokyo',
    serviceWorkers: 'allow',
  })
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname, search: query } = new URL(request.url())
    if (pathname === '/api/events' && query !== '' && query !== '?limit=500')
      calls.push(decodeURIComponent(query.replaceAll('+', ' ')))
  })
  await page.goto('/events')
  await cards(page).first().waitFor()
  const all = await names(page)
  expect(all.length).toBeGreaterThan(6)

  await search(page).fill('founders CHICAGO')
  await expect.poll(() => names(page)).toEqual(['Founders & Funders Night'])
  await expect(page).toHaveURL(/\?q=founders\+CHICAGO$/)
  await search(page).fill('parachutes')
  await expect(nothing(page)).toBeVisible()
  await page.getByRole('button', { name: 'Clear Search' }).click()
  await expect.poll(() => names(page)).toEqual(all)
  expect(calls, 'text is searched on this device').toEqual([])
  const tables = () =>
    page.evaluate(async () => (await caches.open('beaconry-zip-codes')).keys().then(({ length }) => length))
  expect(await tables(), 'nobody has looked for a ZIP code yet').toBe(0)
  await page.getByLabel('ZIP code').focus()
  await expect.poll(tables).toBe(1)

  await page.getByLabel('State', { exact: true }).selectOption('Texas')
  await expect.poll(() => names(page)).toEqual(['Lone Star Product Summit'])
  await expect.poll(() => calls).toEqual(['?state=Texas'])
  const texan = await cards(page).textContent()
  expect(texan).toMatch(/C[SD]T/)

  await page.getByLabel('ZIP code').fill('20001')
  await expect(nothing(page)).toBeVisible()
  await page.getByLabel('State', { exact: true }).selectOption('All states')
  await expect.poll(() => names(page)).toEqual(['Capital Civic Tech Lunch'])
  await expect(cards(page)).toContainText('Less than a mile away')
  await expect(page.getByText('1 event within 50 miles of 20001')).toBeVisible()
  await page.getByLabel('Distance').selectOption('250 miles')
  await expect
    .poll(async () => (await names(page)).toSorted())
    .toEqual(['Capital Civic Tech Lunch', 'Empire State Analytics Forum'])
  const near = await names(page)
  await expect(page).toHaveURL(/\?zipCode=20001&radius=250$/)
  await expect.poll(() => calls.at(-1)).toBe('?zipCode=20001&radius=250')

  await page.goBack()
  await expect.poll(() => names(page)).toEqual(['Capital Civic Tech Lunch'])
  await expect(page.getByLabel('Distance')).toHaveValue('50')
  await page.goForward()
  await cards(page).first().getByRole('link').click()
  await page.waitForURL(/\/events\/\d+$/)
  await page.goBack()
  await expect.poll(() => names(page)).toEqual(near)
  await expect(page.getByLabel('ZIP code')).toHaveValue('20001')

  await page.getByLabel('ZIP code').fill('00000')
  await expect(page.getByText('We do not know the ZIP code 00000.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear Filters' }).click()
  await expect.poll(() => names(page)).toEqual(all)
  await expect(page.getByLabel('ZIP code')).toHaveValue('')
  await expect(page.getByLabel('Distance')).toHaveValue('50')
  await expect(page.getByRole('button', { name: 'Clear Filters' })).toHaveCount(0)

  await readyForOffline(page)
  await context.setOffline(true)
  await page.goto('/events?zipCode=20001&radius=250')
  await expect.poll(() => names(page)).toEqual(near)
  await expect(page.getByText(/^Saved on this device, as of /)).toBeVisible()
  await page.getByLabel('Distance').selectOption('100 miles')
  await expect.poll(() => names(page)).toEqual(['Capital Civic Tech Lunch'])
  await page.getByLabel('ZIP code').fill('')
  await page.getByLabel('State', { exact: true }).selectOption('Texas')
  await expect.poll(() => names(page)).toEqual(['Lone Star Product Summit'])
  expect(await cards(page).textContent()).toBe(texan)
  await search(page).fill('barbecue')
  await expect(page).toHaveURL(/q=barbecue/)
  await expect(cards(page)).toHaveCount(1)
})

test('a device that never searched by ZIP code says offline that it does not know them @nightly', async ({
  device,
}) => {
  const { context, page } = await device({ serviceWorkers: 'allow' })
  await page.goto('/events')
  await cards(page).first().waitFor()
  await readyForOffline(page)
  await context.setOffline(true)
  await page.goto('/events?zipCode=20001')
  await expect(page.getByText('this device does not know yet where ZIP codes are')).toBeVisible()
})

test('on a phone the filters fold into one control; nothing and no answer say what to do @nightly', async ({
  page,
}) => {
  const list = /\/api\/events(\?|$)/
  await page.route(list, (route) => route.abort())
  await page.goto('/events')
  await expect(page.getByRole('heading', { name: 'Failed to fetch events' })).toBeVisible()
  await page.unroute(list)
  await page.route(list, answerNoEvents)
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByText('There are no upcoming events at the moment.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Clear Search' })).toHaveCount(0)
  await page.unroute(list)
  await page.reload()
  await cards(page).first().waitFor()
  const count = await cards(page).count()

  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.getByLabel('State', { exact: true }).selectOption('New York')
  await sheet.getByLabel('ZIP code').fill('10118')
  await sheet.getByRole('button', { name: 'Show 1 Event' }).click()
  await expect(page.getByRole('button', { name: /^Filters\s*2\s*set$/ })).toBeFocused()
  await expect(page.getByText('1 event in New York within 50 miles of 10118')).toBeVisible()
  await page.getByRole('button', { name: 'Clear Filters' }).click()
  await expect(cards(page)).toHaveCount(count)
})
