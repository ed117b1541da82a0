import { wakeWorkers } from '../../../sync-server/testing/jobs/queued-jobs.ts'
import { apiOf, applyByCall, decideByCall } from '../client.ts'
import { rowsOnDisk } from '../device-database.ts'
import { beaFields } from '../../sync/testing/people.ts'
import { expect, olivia, readyForOffline, signIn } from '../journey.ts'
import { test, textsTo } from '../mail/mail-journey.ts'
import { busiestEvent, endUndoWindow, openManage, view } from './applicants.ts'
import { openEvent } from './application-form.ts'

/** Lets the server's hold of all messages end. */
const endHold = async (db: Parameters<typeof openEvent>[0]) => {
  await db('messages').update({ leavesAt: db.raw(`now() - interval '1 second'`) })
  await db('mails').where({ kind: 'message', state: 'held' }).update({ sendAt: db.fn.now() })
  await db('jobs')
    .where({ state: 'waiting' })
    .whereRaw(`(key like 'message:%' or kind = 'message-push')`)
    .update({ runAt: db.fn.now() })
  await wakeWorkers(db)
}

test('a message written offline reaches each Beacon once, by mail and on the own page', async ({
  device,
  server,
  db,
  smtp,
}) => {
  const { id: eventId, name } = await openEvent(db)
  const email = 'bea.told@example.com'
  const others = (await db('applications').where({ eventId, status: 'approved' })).length
  const { id, token } = await applyByCall(server.origin, eventId, { ...beaFields, email })
  const bea = { id, name: 'Bea Brook', email, decisionNumber: 0 }
  await decideByCall(await apiOf(server.origin, olivia), id, 'approved')
  const { page } = await device()
  await signIn(page, olivia)
  await openManage(page, eventId, bea)
  const settings = async () => JSON.stringify(await rowsOnDisk(page, 'beaconry-device', 'settings'))
  await expect.poll(settings, 'the devices are counted').toContain(`messages/${eventId}`)
  await db('applications').where({ id }).update({ linkOpenedAt: db.fn.now() })

  await server.kill()
  await page.reload()
  const panel = page.getByRole('region', { name: 'Messages' })
  const write = async (text: string) => {
    await panel.getByRole('button', { name: 'Write' }).click()
    const dialog = page.getByRole('dialog', { name: 'Message to Beacons' })
    await dialog.getByLabel('Message', { exact: true }).fill(text)
    return dialog
  }
  const first = await write('Hi [Beacon Name], the door is on Pier Street.')
  await expect(first.getByRole('region', { name: /^Preview for/ })).toContainText('the door is on Pier Street.')
  await expect(first.getByText(`${others + 1} people: ${others + 1} emails, 0 devices`)).toBeVisible()
  await page.reload()
  await panel.getByRole('button', { name: 'Write' }).click()
  const again = page.getByRole('dialog', { name: 'Message to Beacons' })
  await expect(again.getByLabel('Message', { exact: true }), 'what was typed is kept').toHaveValue(/the door is on/)
  await again.getByRole('button', { name: 'Copy email addresses' }).click()
  const toast = again.locator('[data-floating]', { hasText: /opied/ })
  await toast.getByRole('button', { name: 'Dismiss message' }).click()
  await expect(toast, 'a message over a dialog can be pressed').toHaveCount(0)
  await again.getByRole('button', { name: 'Send' }).click()
  await expect(panel.getByText('saved on this device')).toBeVisible()
  const second = await write('Never mind.')
  await second.getByRole('button', { name: 'Send' }).click()
  await panel.getByRole('listitem').filter({ hasText: 'Never mind.' }).getByRole('button', { name: 'Undo' }).click()
  await expect(panel.getByText('Never mind.')).toHaveCount(0)

  await endUndoWindow(page)
  await server.start()
  await expect
    .poll(async () => await db('messages').where({ eventId }).pluck('body'))
    .toEqual(['Hi [Beacon Name], the door is on Pier Street.'])
  await expect(panel.getByRole('button', { name: 'Take back' })).toBeVisible()
  await server.kill()
  await panel.getByRole('button', { name: 'Take back' }).click()
  await expect(panel.getByText('Being taken back, if it has not left yet.')).toBeVisible()
  await endHold(db)
  await server.start()
  await expect
    .poll(() => textsTo(smtp, email).filter((text) => text.includes('the door is on Pier Street')))
    .toHaveLength(1)
  await page.reload()
  await expect(panel.getByText(`Emails sent: ${others + 1} of ${others + 1}`)).toBeVisible()

  const volunteer = await device()
  await volunteer.page.goto(`/events/${eventId}/apply#application=${token}`)
  const told = volunteer.page.getByRole('region', { name: 'From the organizer' })
  await expect(told).toContainText('Hi Bea Brook, the door is on Pier Street.')
  await readyForOffline(volunteer.page)
  await server.kill()
  await volunteer.page.reload()
  await expect(told, 'without a network').toContainText('the door is on Pier Street')
  await expect(volunteer.page.getByText(name).first()).toBeVisible()
})

test('a message to one applicant is taken back while the server holds it @nightly', async ({
  page,
  server,
  db,
  smtp,
}) => {
  const { id: eventId } = await openEvent(db)
  const email = 'bo.spared@example.com'
  const { id } = await applyByCall(server.origin, eventId, { ...beaFields, email })
  const bo = { id, name: 'Bea Brook', email, decisionNumber: 0 }
  await signIn(page, olivia)
  await openManage(page, eventId, bo)
  const applicant = await view(page, bo)
  await applicant.getByRole('button', { name: 'Write a message to Bea Brook' }).click()
  const dialog = page.getByRole('dialog', { name: 'Message to Beacons' })
  await expect(dialog.getByRole('radio', { name: 'Bea Brook' })).toBeChecked()
  await dialog.getByLabel('Message', { exact: true }).fill('One more question.')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(dialog).toHaveCount(0)
  await applicant.getByRole('button', { name: 'Close' }).click()
  const panel = page.getByRole('region', { name: 'Messages' })
  await panel.getByRole('button', { name: 'Take back' }).click()
  await expect(panel.getByText('Taken back. No one received it.')).toBeVisible()
  await expect.poll(async () => await db('mails').where({ kind: 'message' }).pluck('state')).toEqual(['cancelled'])
  await endHold(db)
  expect(textsTo(smtp, email).filter((text) => text.includes('One more question'))).toEqual([])
})

test('an edit says before it is saved which mail will go, and takes a line for it offline @nightly', async ({
  page,
  server,
  db,
}) => {
  const { eventId, approved } = await busiestEvent(db, 'approved')
  await signIn(page, olivia)
  await page.goto(`/events/edit/${eventId}`)
  await page.getByLabel('Start Time').fill('17:05')
  await server.kill()
  await page.getByRole('button', { name: 'Save Changes' }).click()
  const dialog = page.getByRole('dialog', { name: 'What your Beacons will hear' })
  await expect(dialog.getByText(`${approved.length} people get an email about the new time`)).toBeVisible()
  await dialog.getByLabel('Add a line to it').fill('The caterer comes early.')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await page.waitForURL('**/dashboard')
  await server.start()
  await expect
    .poll(async () => (await db('mails').where({ kind: 'event-changed' })).map(({ payload }) => payload['note']))
    .toEqual(approved.map(() => 'The caterer comes early.'))
})
