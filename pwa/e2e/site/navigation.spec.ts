import type { Page } from 'playwright/test'
import { busiestEvent, card, openManage } from '../applications/applicants.ts'
import { expect, olivia, signIn, submitSignIn, sharingTest as test } from '../journey.ts'
import { paths } from '../../paths.ts'

const heightOf = (page: Page) => page.evaluate(() => Math.round(scrollY))
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')

async function scrollTo(page: Page, y: number): Promise<void> {
  await page.evaluate((top) => window.scrollTo({ top, behavior: 'instant' }), y)
  // The page hears of it with its next frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}

test('Back returns to the place in the list; an event opens at its top, its heading in focus', async ({ page }) => {
  await page.goto('/events')
  const links = page.getByRole('link', { name: /View Details/ })
  await links.nth(4).waitFor()
  await scrollTo(page, 1200)
  const place = await heightOf(page)
  expect(place).toBeGreaterThan(600)

  await page
    .getByRole('link', { name: /View Details/ })
    .nth(4)
    .evaluate((link: HTMLElement) => link.click())
  await page.waitForURL(/\/events\/\d+$/)
  await page.getByRole('link', { name: 'Apply to be a Beacon' }).waitFor()
  expect(await heightOf(page)).toBe(0)
  await expect.poll(() => focusedText(page)).toBe(await page.getByRole('heading', { level: 1 }).textContent())

  await page.goBack()
  await page.waitForURL('**/events')
  await expect.poll(() => heightOf(page)).toBe(place)
  await page.goForward()
  await page.waitForURL(/\/events\/\d+$/)
  await expect.poll(() => heightOf(page)).toBe(0)
  await page.goBack()
  await expect.poll(() => heightOf(page)).toBe(place)
  await page.reload()
  await expect.poll(() => heightOf(page), 'also after a reload').toBe(place)
})

test('menus close on navigation and Escape, dialogs on Escape; the focus goes back', async ({ page, db }) => {
  const { eventId, pending } = await busiestEvent(db)
  const [ana] = pending
  await signIn(page, olivia)
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await page.getByRole('button', { name: 'Open menu' }).click()
  await menu.getByRole('link', { name: 'Events' }).evaluate(async (link) => {
    ;(link as HTMLElement).click()
    await Promise.resolve()
    document.querySelector<HTMLElement>('button[aria-label="Open menu"]')!.click()
    history.back()
  })
  await expect(menu, 'Back before the page was drawn closes it too').toBeHidden()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await menu.getByRole('link', { name: 'Events' }).click()
  await page.waitForURL('**/events')
  await expect(menu).toBeHidden()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.goBack()
  await page.waitForURL('**/dashboard')
  await expect(menu, 'Back closes it too').toBeHidden()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()

  await openManage(page, eventId, ana)
  await card(page, ana).locator('[data-view]').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(card(page, ana).locator('[data-view]')).toBeFocused()
})

test("an organizer's page has a visitor sign in first; Back does not lead to the form @nightly", async ({
  page,
  db,
}) => {
  const { eventId } = await busiestEvent(db)
  await page.goto('/events')
  await page.goto(`/events/manage/${eventId}?from=mail`)
  await page.waitForURL('**/auth')
  await submitSignIn(page, olivia)
  await page.waitForURL(`**/events/manage/${eventId}?from=mail`)
  await page.locator('[data-row]').first().waitFor()
  await page.goBack()
  await page.waitForURL('**/events')
})

test('an alert about an applicant opens that one, also where the event is open already', async ({ page, db }) => {
  await signIn(page, olivia)
  const { eventId, pending } = await busiestEvent(db)
  const [ana, ben] = pending
  await openManage(page, eventId, ana)
  for (const { id, name } of [ana, ben, ben]) {
    await page.evaluate(
      (path) => {
        navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { type: 'open', path } }))
      },
      `${paths.manageEvent(eventId)}?application=${id}`,
    )
    await expect(page.getByRole('dialog').getByRole('heading', { name, level: 2 })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
})

test('what could not be loaded is left out, and loaded by the next try @nightly', async ({ device }) => {
  const { page } = await device({ viewport: { width: 1280, height: 800 } })
  await page.route(/\/assets\/(pricing-screen|toast-stack|menus)-/, (route) => route.abort())
  await page.goto('/auth')
  await submitSignIn(page, olivia)
  await expect(page.getByRole('heading', { level: 1, name: /^Welcome, / })).toBeVisible()
  const account = page.getByRole('button', { name: 'account of olivia' })
  await expect(account).toBeVisible()
  const nav = page.getByRole('navigation', { name: 'Main' })
  await nav.getByRole('link', { name: 'Pricing' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'This page is not on this device yet' })).toBeVisible()

  await page.unrouteAll()
  await nav.getByRole('link', { name: 'Events' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Upcoming Events' })).toBeVisible()
  await nav.getByRole('link', { name: 'Pricing' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Pricing|plan/i })).toBeVisible()
  await account.click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page.getByText('Logged out').first()).toBeVisible()
})
