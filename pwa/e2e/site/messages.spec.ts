import type { Page } from 'playwright/test'
import { fillInEvent } from '../events/event-form.ts'
import { expect, submitSignIn, sharingTest as test } from '../journey.ts'

/** A little ahead of the page's own clock, which goes on until then. */
const aheadMs = 700

/** From then on the page's clock stands still: only what a test asks for goes by. */
async function rest(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + aheadMs)
}

test.use({ timings: {} })

const messages = (page: Page) => page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')

async function failToSignIn(page: Page): Promise<void> {
  await submitSignIn(page, { email: 'nobody@example.com', password: 'not the password' })
  await expect(messages(page)).toContainText('Login failed')
}

test('a message closes after 5 seconds', async ({ page }) => {
  await page.clock.install()
  await page.goto('/auth')
  await failToSignIn(page)
  await rest(page)
  await page.clock.runFor(3_500)
  await expect(messages(page)).toHaveCount(1)
  await page.clock.runFor(1_500)
  await expect(messages(page)).toHaveCount(0)
})

test('a message goes with a swipe of 50 px, F8 leads to it, and it is at most 420 px wide', async ({ device }) => {
  const { page } = await device({ viewport: { width: 1280, height: 800 } })
  await page.goto('/auth')
  await failToSignIn(page)
  const box = await messages(page).boundingBox()
  if (!box) throw new Error('The message is not on the screen')
  expect(box.width).toBeLessThanOrEqual(420)
  expect(box.x + box.width).toBeGreaterThan(1280 - 420)

  await page.keyboard.press('F8')
  await expect(page.getByRole('region', { name: /^Notifications/ }).getByRole('list')).toBeFocused()

  const swipe = async (distance: number) => {
    await page.mouse.move(box.x + 40, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + 40 + distance / 2, box.y + box.height / 2)
    await page.mouse.move(box.x + 40 + distance, box.y + box.height / 2)
    await page.mouse.up()
  }
  await swipe(49)
  await expect(messages(page)).toHaveCount(1)
  // On a busy machine a swipe has been missed, as a finger's may be.
  await expect(async () => {
    await swipe(51)
    await expect(messages(page)).toHaveText([], { timeout: 2_000 })
  }).toPass()
})

test('the theme is kept under "theme", follows the device, and changes in every tab at once', async ({ device }) => {
  const { page, context } = await device({ colorScheme: 'dark' })
  await page.goto('/auth')
  const other = await context.newPage()
  await other.goto('/events')
  const theme = (tab: Page) => tab.locator('html').getAttribute('data-theme')
  expect([await theme(page), await theme(other)]).toEqual(['beaconry-dark', 'beaconry-dark'])

  await page.getByRole('button', { name: 'Light' }).click()
  await expect.poll(() => theme(other)).toBe('beaconry')
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('light')
  await other.reload()
  expect(await theme(other)).toBe('beaconry')

  await other.getByRole('button', { name: 'System' }).click()
  await expect.poll(() => theme(page)).toBe('beaconry-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(() => theme(page)).toBe('beaconry')
})

test('a draft is saved for 0.5 s; a hint comes after 700 ms, the next within 300 ms at once', async ({ device }) => {
  const { page } = await device({ viewport: { width: 1280, height: 800 } })
  await page.clock.install()
  await page.goto('/event-builder')
  await fillInEvent(page, { name: 'Lantern Walk' })
  await rest(page)
  await page.getByRole('button', { name: 'Save Draft and Continue' }).click()
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
  await page.clock.runFor(499)
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
  await page.clock.resume()
  await expect(page.getByRole('heading', { name: 'Draft saved' })).toBeVisible()

  await page.getByRole('link', { name: 'Your drafts' }).click()
  await expect(page.getByRole('button', { name: 'Rename Lantern Walk' })).toBeVisible()
  await rest(page)
  const hint = page.getByRole('tooltip')
  const leave = async () => {
    await page.getByRole('heading', { name: 'Your drafts' }).hover()
    await page.mouse.move(300, 700, { steps: 5 })
    await expect(hint).toHaveCount(0)
  }
  await page.getByRole('button', { name: 'Rename Lantern Walk' }).hover()
  await page.clock.runFor(699)
  await expect(hint).toHaveCount(0)
  await page.clock.runFor(1)
  await expect(hint).toHaveText('Rename')

  await leave()
  await page.clock.runFor(299)
  await page.getByRole('button', { name: 'Delete Lantern Walk' }).hover()
  await expect(hint).toHaveText('Delete')

  await leave()
  await page.clock.runFor(301)
  await page.getByRole('button', { name: 'Delete Lantern Walk' }).hover()
  await page.clock.runFor(699)
  await expect(hint).toHaveCount(0)
})
