import { decisionOf, endUndoWindow, expectStatus, holdOn } from './applicants.ts'
import type { Knex } from 'knex'
import { expect, olivia, signIn, test } from '../journey.ts'

/** Demo event with one who waits, which takes place on these days from today on. */
async function holdMakersEvening(db: Knex, days: readonly [number, number]): Promise<{ id: number; name: string }> {
  const event = (await db('events').where({ name: 'Portland Makers Evening' }).first('id', 'name'))!
  await holdOn(db, event.id, days)
  return event
}

test('what waits over all events is reviewed offline in one list, by keys', async ({ device, server, db }) => {
  await holdMakersEvening(db, [5, 5])
  const waiting = await db('applications')
    .join('events', 'events.id', 'applications.eventId')
    .where({ 'events.organizerId': 1, status: 'pending' })
    .orderBy(['applications.createdAt', 'applications.id'])
    .select('applications.id', 'firstName', 'lastName', 'eventId', 'events.name')
  const [first, second] = waiting
  expect(new Set(waiting.map(({ eventId }) => eventId)).size).toBeGreaterThan(1)
  const { page } = await device({ viewport: { width: 1280, height: 800 } })
  await signIn(page, olivia)
  await page.getByRole('link', { name: 'Review' }).click()
  await page.waitForURL('**/inbox')
  await expect(page.getByText(`${waiting.length} over all your events`, { exact: false })).toBeVisible()
  const rows = page.locator('[data-row]')
  await expect(rows).toHaveCount(waiting.length)
  await expect(rows.first(), 'the longest wait first').toContainText(`${first.firstName} ${first.lastName}`)
  await expect(rows.first()).toContainText(first.name)

  await page.getByLabel('Order').selectOption({ label: 'By event' })
  const ofFirst = waiting.filter(({ eventId }) => eventId === first.eventId).length
  for (const index of Array(ofFirst).keys()) await expect(rows.nth(index)).toContainText(first.name)
  await page.getByLabel('Order').selectOption({ label: 'Waiting first' })
  await page.getByLabel('Order').blur()

  await server.kill()
  await page.keyboard.press('j')
  await page.keyboard.press('a')
  await expect(page.locator(`[data-row="${first.id}"]`)).toContainText('Approved')
  await page.keyboard.press('j')
  await page.keyboard.press('r')
  await expect(page.locator(`[data-row="${second.id}"]`), 'a decided row stays where it is').toContainText('Rejected')
  await page.keyboard.press('u')
  await expect(page.locator(`[data-row="${second.id}"]`)).toContainText('Pending')
  await endUndoWindow(page)
  await server.start()
  await expectStatus(db, first, 'approved')
  expect((await decisionOf(db, second))?.status).toBe('pending')
})

test('today’s event leads the dashboard and the inbox, which is narrowed to one event @nightly', async ({
  device,
  db,
}) => {
  const today = await holdMakersEvening(db, [-1, 1])
  const waiting = await db('applications')
    .join('events', 'events.id', 'applications.eventId')
    .where({ 'events.organizerId': 1, status: 'pending' })
    .select('applications.id', 'eventId')
  const others = waiting.filter(({ eventId }) => eventId !== today.id)
  const { page } = await device({ serviceWorkers: 'block' })
  await signIn(page, olivia)
  const title = `${today.name}, ${waiting.length - others.length} waiting`
  await expect(page.getByText(new RegExp(`^(Today|Tonight): ${title}$`))).toBeVisible()
  await expect(page.getByRole('link', { name: 'Review' })).toHaveAttribute('href', `/events/manage/${today.id}`)
  const events = new Set(others.map(({ eventId }) => eventId)).size
  await page.getByRole('link', { name: `${others.length} more waiting for ${events} events` }).click()
  await page.waitForURL('**/inbox')

  const rows = page.locator('[data-row]')
  await expect(rows.first(), 'today’s come first').toContainText(today.name)
  const chips = page.getByRole('group', { name: 'Show applications' }).getByRole('button')
  await expect(chips).toHaveCount(events + 2)
  await expect(chips.nth(0)).toHaveText(/^All\s*\d+$/)
  await chips.nth(1).click()
  await expect(chips.nth(1)).toHaveText(new RegExp(`^${today.name}\\s*${waiting.length - others.length}$`))
  await expect(rows).toHaveCount(waiting.length - others.length)
  await expect(rows.first(), 'where everybody waits, nobody’s card says so').not.toContainText('Pending')
})
