import type { Page } from 'playwright/test'
import { expect, test } from '../journey.ts'
import { openEvent } from '../applications/application-form.ts'
import { copyEvent } from './copied-events.ts'

test.use({ serviceWorkers: 'block' })

const cards = (page: Page) => page.getByRole('link', { name: /^View Details: / })

test('the search finds what a device does not hold, and offline says what it looked through @nightly', async ({
  device,
  db,
}) => {
  const { id } = await openEvent(db)
  await copyEvent(db, id, 600, { name: `case number when 600 then 'Zebra Lantern Night' else 'Copy ' || number end` })
  const { context, page } = await device()
  await page.goto('/events')
  const last = page.getByRole('heading', { name: 'Zebra Lantern Night' })
  await expect(page.getByText('At least 500 events coming up')).toBeVisible()
  await expect(last).toHaveCount(0)
  await page.getByRole('searchbox').fill('night zebra')
  await expect(last).toBeVisible()
  await expect(page.getByText('1 event found', { exact: true })).toBeVisible()
  // The kept list is known to be a part, too.
  await page.goto('/events?q=zebra')
  await expect(last).toBeVisible()

  await context.setOffline(true)
  await page.getByRole('searchbox').fill('copy 98')
  await expect(page.getByText('Searching the 500 events on this device.')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('6 events found', { exact: true })).toBeVisible()
})

test('fifty events are drawn, more when asked for, and as many after the way back @nightly', async ({ device, db }) => {
  const { id } = await openEvent(db)
  await copyEvent(db, id, 120, {})
  const { page } = await device()
  await page.goto('/events')
  await expect(cards(page)).toHaveCount(50)
  const more = page.getByRole('button', { name: 'Show More Events' })
  await more.click()
  await expect(cards(page)).toHaveCount(100)
  await expect(cards(page).nth(50)).toBeFocused()
  await cards(page).nth(60).click()
  await page.waitForURL(/\/events\/\d+$/)
  await page.goBack()
  await expect(cards(page)).toHaveCount(100)
  await more.click()
  await expect(more).toHaveCount(0)
  expect(await cards(page).count()).toBeGreaterThan(120)
})
