import type { Page } from 'playwright/test'
import { busiestEvent, endUndoWindow, expectDecidedOnce, openBusiest, openCrowd } from './applicants.ts'
import { expect, olivia, signIn, test } from '../journey.ts'

test.use({ serviceWorkers: 'block' })

const desktop = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const rows = (page: Page) => page.locator('[data-row]')
const rowOf = (page: Page, id: number | undefined) => page.locator(`[data-row="${id}"]`)
const details = (page: Page) => page.getByRole('dialog')

test('a desktop shows twelve applicants; keys decide beside the list, J finds the last', async ({ device, db }) => {
  const { page } = await device(desktop)
  const ids = await openCrowd(db, page, 200)
  const inSight = await rows(page).evaluateAll(
    (all) => all.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length,
  )
  expect(inSight).toBeGreaterThanOrEqual(12)
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', '201')

  const shows = (name: string) => expect(details(page).getByRole('heading', { level: 2, name })).toBeFocused()
  await page.keyboard.press('j')
  await page.keyboard.press('v')
  await shows('Bea Moss 1')
  await expect(details(page).locator('dt')).toContainText(['Why Beacon', 'Bio', 'Experience'])
  await page.keyboard.press('a')
  await shows('Bea Moss 2')
  await page.keyboard.press('a')
  await shows('Bea Moss 3')
  await page.keyboard.press('r')
  await shows('Bea Moss 4')
  await page.keyboard.press('u')
  await shows('Bea Moss 3')
  for (const [place, status] of ['Approved', 'Approved', 'Pending', 'Pending'].entries())
    await expect(rowOf(page, ids[place])).toContainText(status)
  expect(await page.evaluate(() => scrollY), 'the list stays where it is').toBe(0)
  await page.keyboard.press('Escape')
  await expect(details(page)).toHaveCount(0)
  await expect(rowOf(page, ids[2]).getByRole('button', { name: 'View Bea Moss 3' })).toBeFocused()

  // At once, because the answer to each press waits for a frame.
  await Promise.all(ids.slice(3).map(() => page.keyboard.press('j')))
  const last = rowOf(page, ids.at(-1))
  await expect(last).toBeInViewport()
  await expect(last).toHaveAttribute('aria-rowindex', '201')
  await expect(last.getByRole('button', { name: 'View Bea Moss 200' })).toBeFocused()
  expect(await rows(page).count()).toBeLessThan(100)
  await page.evaluate(() => scrollTo(0, 0))
  await expect(rowOf(page, ids[0])).toBeInViewport()
  await expect(last.getByRole('button', { name: 'View Bea Moss 200' }), 'the focus is kept out of sight').toBeFocused()
  expect(await rows(page).count()).toBeLessThan(100)

  await page.getByLabel('Search applicants').fill('moss 199')
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText('Bea Moss 199')

  await endUndoWindow(page)
  const decided = () => db('applications').whereIn('id', ids.slice(0, 3)).orderBy('id').pluck('status')
  await expect.poll(decided).toEqual(['approved', 'approved', 'pending'])
})

test('on a phone the first is decided without scrolling, and a review goes from one to the next', async ({
  device,
  db,
}) => {
  const { eventId, pending } = await busiestEvent(db)
  const { page } = await device(phone)
  await signIn(page, olivia)
  await page.goto(`/events/manage/${eventId}`)
  await expect(
    rows(page)
      .first()
      .getByRole('button', { name: /^Approve/ }),
  ).toBeInViewport({ ratio: 1 })
  expect(pending.map(({ id }) => String(id))).toContain(await rows(page).first().getAttribute('data-row'))

  const crowded = (await device(phone)).page
  const ids = await openCrowd(db, crowded, 200)
  expect(await rows(crowded).count()).toBeLessThan(100)
  const heights = await rows(crowded).evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
  expect(Math.max(...heights)).toBeLessThanOrEqual(220)
  const dialog = crowded.getByRole('dialog')
  await crowded.getByRole('button', { name: 'Review one by one' }).click()
  await dialog.getByRole('button', { name: 'Approve Bea Moss 1' }).click()
  await expect(dialog.getByRole('heading', { level: 2, name: 'Bea Moss 2' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await expect(dialog.getByRole('heading', { level: 2, name: 'Bea Moss 1' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Approve Bea Moss 1' }).click()
  await expect(rowOf(crowded, ids[0])).toContainText('Approved')
  await dialog.getByRole('button', { name: 'Skip' }).click()
  await dialog.getByRole('button', { name: 'Reject Bea Moss 3' }).click()
  await expect(dialog.getByRole('heading', { level: 2, name: 'Bea Moss 4' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Undo' })).toHaveAccessibleName('Undo for Bea Moss 3')

  const small = (await device(phone)).page
  const [first, second] = await openCrowd(db, small, 2)
  await rowOf(small, first).getByRole('button', { name: 'View Bea Moss 1' }).click()
  await small.getByRole('dialog').getByRole('button', { name: 'Reject Bea Moss 1' }).click()
  await small.getByRole('dialog').getByRole('button', { name: 'Approve Bea Moss 2' }).click()
  await expect(small.getByRole('dialog'), 'there is no other').toHaveCount(0)
  await expect(rowOf(small, first)).toContainText('Rejected')
  await expect(rowOf(small, second)).toContainText('Approved')
})

test('of 45 events the dashboard shows twenty, more on demand, and all found by name @nightly', async ({
  device,
  db,
}) => {
  const { page } = await device(phone)
  await openCrowd(db, page, 45, 45)
  await page.goto('/dashboard')
  const events = page.getByRole('link', { name: /^Manage Event: / })
  await expect(events).toHaveCount(20)
  await page.getByRole('button', { name: 'Show 20 more of 25' }).click()
  await expect(events).toHaveCount(40)
  await page.getByRole('button', { name: 'Show 5 more of 5' }).click()
  await expect(events).toHaveCount(45)
  await expect(events.last()).toHaveAccessibleName('Manage Event: Harbor Mixer 45 on day 45')
  await page.getByLabel('Search your events').fill('day 44')
  await expect(events).toHaveCount(1)
})

test('the second tap of a double one on Approve does not press the Undo under it', async ({ device, db }) => {
  const { page, pending } = await openBusiest({ device, db })
  const approve = page.getByRole('button', { name: /^Approve / }).nth(2)
  const label = await approve.getAttribute('aria-label')
  const cleo = pending.find(({ name }) => label === `Approve ${name}`)!
  // At the bottom, where the bar comes.
  await approve.evaluate((button) => scrollBy(0, button.getBoundingClientRect().bottom - innerHeight))
  const { y } = (await approve.boundingBox())!
  const at = [330, y + 15] as const
  await page.mouse.click(...at)
  const under = () => page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.textContent, at)
  await expect.poll(under).toBe('Undo')
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  await endUndoWindow(page)
  await expectDecidedOnce(db, cleo, 'approved')
})

test('the printed page of an event holds every applicant, and says where the list to print is @nightly', async ({
  device,
  db,
}) => {
  const { page } = await device(desktop)
  await openCrowd(db, page, 90)
  const { pathname } = new URL(page.url())
  const hint = page.getByText(`${pathname}/beacons`)
  await expect(hint).toBeHidden()
  const drawn = () => rows(page).count()
  expect(await drawn()).toBeLessThan(80)
  // As a script prints, which waits for no other one between the event and the paper.
  const onPaper = await page.evaluate(() => {
    let count = 0
    addEventListener('beforeprint', () => (count = document.querySelectorAll('[data-row]').length))
    print()
    return count
  })
  expect(onPaper).toBe(90)
  await expect.poll(drawn).toBeLessThan(80)
  await page.emulateMedia({ media: 'print' })
  await expect(hint).toBeVisible()
})
