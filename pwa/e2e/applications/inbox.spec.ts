import { decisionOf, endUndoWindow, expectStatus } from './applicants.ts'
import { expect, olivia, signIn, test } from '../journey.ts'

test('what waits over all events is reviewed offline in one list, by keys', async ({ device, server, db }) => {
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
