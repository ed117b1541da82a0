import { busiestEvent, button, card, endUndoWindow, expectStatus, holdOn, type Applicant } from './applicants.ts'
import { apiOf, decideByCall } from '../client.ts'
import { expect, olivia, signIn, test } from '../journey.ts'

test('applicants of an event long over are fetched on opening, and decided @nightly', async ({ page, server, db }) => {
  const { eventId, name, pending, approved } = await busiestEvent(db)
  await holdOn(db, eventId, [-41, -40])
  await server.kill()
  await server.start()
  const archived = () => db('applications').where({ eventId, archived: true })
  await expect.poll(async () => (await archived()).length).toBeGreaterThanOrEqual(approved.length)

  await signIn(page, olivia)
  await server.kill()
  await page.goto(`/events/manage/${eventId}`)
  await expect(page.getByText('This event is long over', { exact: false })).toBeVisible()
  const [waits] = pending
  const [beacon] = approved
  const refused = await db('applications')
    .where({ eventId, status: 'rejected', withdrawnAt: null })
    .first<Applicant>('id', db.raw("first_name || ' ' || last_name as name"))
  await expect(card(page, waits), 'what waits is on the device').toBeVisible()
  await expect(card(page, beacon)).toHaveCount(0)
  await expect(page.getByLabel('Overview'), 'what is not here is not counted').toHaveCount(0)
  const approvedChip = page.getByRole('button', { name: /^Approved/ })
  await expect(approvedChip).toHaveText('Approved')

  await server.start()
  await page.getByRole('status').getByRole('button', { name: 'Try Again' }).click()
  const row = card(page, beacon)
  await expect(row).toContainText(beacon.name)
  await expect(page.getByLabel('Overview')).toBeVisible()
  await expect(approvedChip).toHaveText(/^Approved\s*\d+$/)
  await expect(page.getByText('This event is long over', { exact: false })).toHaveCount(0)
  await expect(button(page, beacon, 'Revoke Approval'), 'nobody is taken back after the event').toHaveCount(0)
  await button(page, refused, 'Approve').click()
  await expect(card(page, refused)).toContainText('Approved')
  await endUndoWindow(page)
  await expectStatus(db, refused, 'approved')
  await expect(card(page, refused), 'and stays so when the queue has forgotten it').toContainText('Approved')

  await decideByCall(await apiOf(server.origin, olivia), refused.id, 'rejected', 'iPad')
  await expect(card(page, refused), 'what another device has decided shows by itself').toContainText('Rejected')
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Past' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: name })).not.toContainText('approved')
})
