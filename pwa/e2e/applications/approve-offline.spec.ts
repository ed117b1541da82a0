import {
  busiestEvent,
  card,
  decide,
  decisionOf,
  expectConfirmed,
  endUndoWindow,
  expectDecidedOnce,
  expectKept,
  button,
} from './applicants.ts'
import { addQuestion, createEvent } from '../events/event-form.ts'
import { expect, olivia, signIn, test } from '../journey.ts'

test('all an organizer does offline arrives once, and shows on a second device', async ({ device, server, db }) => {
  const { eventId, pending, approved } = await busiestEvent(db)
  const [ana, ben, cleo, dan, eve] = pending
  const [fay] = approved
  const phone = await device()
  const { page } = phone
  await signIn(page, olivia)
  const tablet = await device({ viewport: { width: 1280, height: 800 } })
  await signIn(tablet.page, olivia)
  await tablet.page.goto(`/events/manage/${eventId}`)
  await expect(card(tablet.page, ana)).toContainText('Pending')

  await page.goto(`/events/manage/${eventId}`)
  await expect(card(page, ana)).toContainText('Pending')

  await server.kill()
  await page.reload()
  await expect(card(page, ana), 'the applications are there without a server').toContainText('Pending')
  const databases = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
  expect(databases, 'the copy is named after its schemas').toContainEqual(
    expect.stringMatching(/^rxdb-dexie-beaconry-replica-\d+-[0-9a-f]{12}-[0-9a-f]{10}--pages$/),
  )

  for (const applicant of [ana, ben, cleo]) {
    await decide(page, applicant, 'Approve')
    await expect(card(page, applicant)).toContainText('saved on this device')
  }
  await decide(page, dan, 'Reject')
  await decide(page, eve, 'Approve')
  await button(page, eve, 'Undo for').click()
  await expect(card(page, eve)).toContainText('Pending')
  await button(page, fay, 'Revoke Approval').click()
  await expect(card(page, fay)).toContainText('Rejected')
  for (const applicant of [eve, fay]) await expectKept(page, applicant)

  const newId = await createEvent(page, {
    name: 'Lanterns on the Pier',
    description: 'Two hours of good talk by the water.',
    incentives: 'Dinner and a seat at the front.',
    optional: { 'Start Time': '18:00', 'End Time': '21:00', City: 'San Francisco', 'ZIP Code': '94111' },
  })
  await addQuestion(page, newId, 'Which languages do you speak? *')
  await expect(page.getByText('saved on this device').first()).toBeVisible()

  await page.goto(`/events/edit/${newId}`)
  await page.getByLabel('Event Name').fill('Lanterns on the Pier, second night')
  await page.getByRole('button', { name: /Save|Update/ }).click()
  await page.waitForURL('**/dashboard')
  await expect(page.getByText('Lanterns on the Pier, second night')).toBeVisible()
  await expect(page.getByText('saved on this device').first()).toBeVisible()

  await page.goto(`/events/manage/${eventId}`)
  await expect(card(page, ana)).toContainText('saved on this device')

  await server.start()
  await endUndoWindow(page)
  await expectConfirmed(page, ana)
  for (const applicant of [ben, cleo, dan, fay]) await expectConfirmed(page, applicant)
  // What another device changed shows within 30 s, and this one has just lost its server for longer than that.
  await expect(card(tablet.page, ana)).toContainText('Approved')
  await expect(card(tablet.page, fay)).toContainText('Rejected')

  for (const applicant of [ana, ben, cleo]) await expectDecidedOnce(db, applicant, 'approved')
  for (const applicant of [dan, fay]) await expectDecidedOnce(db, applicant, 'rejected')
  expect(await decisionOf(db, eve), 'what was undone never left').toEqual({
    status: 'pending',
    decisionNumber: eve.decisionNumber,
  })
  expect(await db('jobs').where('key', 'like', `decision-mail:${eve.id}:%`)).toHaveLength(0)

  await expect(page.getByRole('link', { name: 'All saved' })).toBeVisible()
  const events = await db('events').where({ name: 'Lanterns on the Pier, second night' })
  expect(events).toHaveLength(1)
  expect(events[0]).toMatchObject({
    id: newId,
    edition: 3,
    customQuestions: ['Which languages do you speak? *'],
    timeZone: 'America/Los_Angeles',
  })
})
