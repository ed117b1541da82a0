import {
  button,
  card,
  decide,
  decisionOf,
  expectConfirmed,
  expectDecidedOnce,
  expectNothingQueued,
  openBusiest,
  openManage,
} from '../applications/applicants.ts'
import { expect, wholeBrowserTest as test } from '../journey.ts'

test.use({ timings: { undoMs: 8_000 } })

test("an organizer's queue drains with the page closed, once the network is back", async ({ device, db }) => {
  const { context, page, eventId, pending } = await openBusiest({ device, db }, { permissions: ['background-sync'] })
  const [ana, ben, cleo] = pending

  await context.setOffline(true)
  await decide(page, ana, 'Approve')
  await decide(page, ben, 'Reject')
  await decide(page, cleo, 'Approve')
  await button(page, cleo, 'Undo for').click()
  await expect(card(page, cleo)).toContainText('Pending')

  await page.goto(`/events/edit/${eventId}`)
  await page.getByLabel('Event Name').fill('Founders & Funders, with lanterns')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await page.waitForURL('**/dashboard')
  await expect(page.getByText('saved on this device').first()).toBeVisible()
  await page.close()
  expect(context.pages()).toHaveLength(0)
  for (const person of [ana, ben, cleo])
    expect((await decisionOf(db, person))?.status, 'nothing has left the phone').toBe('pending')

  await context.setOffline(false)
  await expectDecidedOnce(db, ana, 'approved')
  await expectDecidedOnce(db, ben, 'rejected')
  await expect
    .poll(() => db('events').where({ id: eventId }).first('name', 'edition'), 'the edit happened once')
    .toEqual({ name: 'Founders & Funders, with lanterns', edition: 2 })
  expect(await decisionOf(db, cleo), 'what was undone never left').toEqual({
    status: 'pending',
    decisionNumber: cleo.decisionNumber,
  })
  expect(context.pages(), 'no page was open').toHaveLength(0)

  const later = await context.newPage()
  await openManage(later, eventId, ana)
  await expect(card(later, ana)).toContainText('Approved')
  await expectConfirmed(later, ana)
  await expectNothingQueued(later)
  await expectDecidedOnce(db, ana, 'approved')
})
