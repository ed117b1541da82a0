import type { Knex } from 'knex'
import type { Locator, Page } from 'playwright/test'
import {
  busiestEvent,
  card,
  decide,
  decisionOf,
  endUndoWindow,
  expectDecidedOnce,
  expectNothingQueued,
  openManage,
  openBusiest,
} from '../applications/applicants.ts'
import { apiOf, decideByCall } from '../client.ts'
import { addQuestion, createEvent } from '../events/event-form.ts'
import { expect, goByLink, olivia, signIn, test } from '../journey.ts'

/** A refused change on the screen that lists them. */
function refused(page: Page, label: string): Locator {
  return page
    .getByRole('list', { name: 'Needs attention' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: label }) })
}

/** Opens the queue and waits until it shows a refused change. */
async function openRefused(page: Page, label: string): Promise<Locator> {
  await page.goto('/sync')
  await expect(refused(page, label)).toBeVisible()
  return refused(page, label)
}

/** Puts a new name into the edit form of an event and saves. */
async function rename(page: Page, eventId: number, name: string): Promise<void> {
  await page.goto(`/events/edit/${eventId}`)
  await page.getByLabel('Event Name').fill(name)
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await page.waitForURL('**/dashboard')
}

const eventOf = (db: Knex, id: number) =>
  db('events').where({ id }).first<{ name: string; edition: number } | undefined>('name', 'edition')

test('an event deleted elsewhere leaves each queued change readable, to be discarded', async ({
  device,
  server,
  db,
}) => {
  const { eventId, name, pending } = await busiestEvent(db)
  const [ana, ben] = pending
  const phone = await device()
  const { page } = phone
  await signIn(page, olivia)
  await openManage(page, eventId, ana)
  await phone.context.setOffline(true)
  await decide(page, ana, 'Approve')
  await decide(page, ben, 'Reject')
  await rename(page, eventId, 'Founders by lantern light')
  await rename(page, eventId, 'Founders by candle light')

  const elsewhere = await apiOf(server.origin, olivia)
  await elsewhere(`/api/events/${eventId}`, {}, { method: 'DELETE' })

  await endUndoWindow(page)
  await phone.context.setOffline(false)
  const approval = await openRefused(page, `Approve ${ana.name}`)
  await expect(approval).toContainText('event is no longer on the server')
  await expect(refused(page, `Reject ${ben.name}`)).toContainText('event is no longer on the server')
  const edit = refused(page, 'Edit Founders by lantern light')
  await expect(edit).toContainText('event is no longer on the server')
  await expect(edit, 'what was made on top of it waits behind it').toContainText('Edit Founders by candle light')
  await edit.getByText('What is in it').click()
  await expect(edit.getByRole('definition').filter({ hasText: 'Founders by lantern light' })).toBeVisible()
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Your Events' })).toBeVisible()
  await expect(page.getByText(name), 'the event is gone here too').toHaveCount(0)

  await openRefused(page, `Approve ${ana.name}`)
  await page.getByRole('button', { name: `Discard: Approve ${ana.name}` }).click()
  await expect(refused(page, `Approve ${ana.name}`)).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(refused(page, `Approve ${ana.name}`), 'discarding can be undone').toBeVisible()
  for (const label of [
    `Approve ${ana.name}`,
    `Reject ${ben.name}`,
    'Edit Founders by lantern light',
    'Edit Founders by candle light',
  ]) {
    await expect(refused(page, label)).toBeVisible()
    await page.getByRole('button', { name: `Discard: ${label}` }).click()
    await expect(refused(page, label)).toHaveCount(0)
  }
  await expectNothingQueued(page)
})

test('an offline event beyond the plan is published whole once there is one @nightly', async ({ device, db }) => {
  await db('user_subscriptions').where({ userId: 1 }).update({ planId: 2, eventsUsed: 1 })
  const phone = await device()
  await signIn(phone.page, olivia)
  const tablet = await device({ viewport: { width: 1280, height: 800 } })
  await signIn(tablet.page, olivia)
  const first = await createEvent(tablet.page, { name: 'The one before the last' })
  await expect.poll(() => eventOf(db, first)).toBeDefined()
  await expect(phone.page.getByText('The one before the last')).toBeVisible()

  await phone.context.setOffline(true)
  const id = await createEvent(phone.page, { name: 'Lanterns on the Pier' })
  await addQuestion(phone.page, id, 'Do you swim?')
  const last = await createEvent(tablet.page, { name: 'The last one' })
  await expect.poll(() => eventOf(db, last)).toBeDefined()

  await phone.context.setOffline(false)
  // A page that is loaded anew now would lose the answer with its reason.
  await goByLink(phone.page, '/sync')
  const refusal = refused(phone.page, 'Create Lanterns on the Pier')
  await expect(refusal).toContainText('You have used all 3 events in your plan.')
  await expect(refusal.getByRole('link', { name: 'Choose a Plan' })).toBeVisible()
  await expect(refusal, 'its questions wait behind it').toContainText('Customize Lanterns on the Pier')
  await refusal.getByText('What is in it').click()
  await expect(refusal).toContainText('Lanterns on the Pier: two hours of good talk.')
  await phone.page.goto('/dashboard')
  const unpublished = phone.page.getByRole('listitem').filter({ hasText: 'Lanterns on the Pier' })
  await expect(unpublished, 'it still stands among the events').toContainText('Not published yet.')
  await expect(unpublished).toContainText('Nothing you wrote is lost.')
  expect(await eventOf(db, id)).toBeUndefined()

  await phone.page.goto('/events/create')
  const draft = phone.page.getByRole('listitem').filter({ hasText: 'Needs a plan' })
  await expect(draft, 'it is among the drafts').toContainText('You have used all 3 events in your plan.')
  await draft.getByRole('link', { name: 'Continue Lanterns on the Pier' }).click()
  await expect(phone.page.getByLabel('Event Name')).toHaveValue('Lanterns on the Pier')

  await db('user_subscriptions').where({ userId: 1 }).update({ planId: 3 })
  await openRefused(phone.page, 'Create Lanterns on the Pier')
  await phone.page.getByRole('button', { name: 'Retry: Create Lanterns on the Pier' }).click()
  await expect.poll(async () => (await eventOf(db, id))?.edition).toBe(2)
  const rows = await db('events').where({ name: 'Lanterns on the Pier' })
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({
    id,
    customQuestions: ['Do you swim?'],
    description: 'Lanterns on the Pier: two hours of good talk.',
  })
  await expectNothingQueued(phone.page)
})

test('changes that wait while a session expires go on once its owner signs in @nightly', async ({ device, db }) => {
  const { context, page, eventId, pending } = await openBusiest({ device, db })
  const [ana] = pending
  await context.setOffline(true)
  await decide(page, ana, 'Approve')
  await rename(page, eventId, 'Founders by lantern light')
  await db('sessions')
    .where({ userId: 1 })
    .update({ expiresAt: new Date(Date.now() - 1000) })
  await endUndoWindow(page)
  await context.setOffline(false)
  const dialog = page.getByRole('dialog', { name: 'Please sign in again' })
  await expect(dialog.getByLabel('Email', { exact: true })).toHaveValue(olivia.email)
  expect(await decisionOf(db, ana)).toEqual({ status: 'pending', decisionNumber: ana.decisionNumber })
  await dialog.getByLabel('Password', { exact: true }).fill(olivia.password)
  await dialog.getByRole('button', { name: 'Sign In' }).click()
  await expect(dialog).toHaveCount(0)
  await expectDecidedOnce(db, ana, 'approved')
  await expect.poll(async () => (await db('events').where({ name: 'Founders by lantern light' })).length).toBe(1)
  await expectNothingQueued(page)
})

test('two phones that decide differently get a card with both, and either side can be kept', async ({
  device,
  server,
  db,
}) => {
  const { context, page, eventId, pending } = await openBusiest({ device, db })
  const [ana, ben] = pending
  await context.setOffline(true)
  await decide(page, ana, 'Approve')
  await decide(page, ben, 'Approve')
  const elsewhere = await apiOf(server.origin, olivia)
  for (const { id } of [ana, ben]) await decideByCall(elsewhere, id, 'rejected', 'iPad')

  await endUndoWindow(page)
  await context.setOffline(false)
  const conflict = await openRefused(page, `Approve ${ana.name}`)
  await expect(conflict).toContainText(
    new RegExp(`${ana.name} was rejected on iPad at .*; this device approved them at`),
  )
  await expect(conflict.getByRole('definition').first()).toContainText('Rejected')
  await expect(conflict.getByRole('definition').last()).toContainText('Approved')
  await page.getByRole('button', { name: `Keep Rejected: ${ana.name}` }).click()
  await expect(refused(page, `Approve ${ana.name}`)).toHaveCount(0)

  await openRefused(page, `Approve ${ben.name}`)
  await page.getByRole('button', { name: `Approve Anyway: ${ben.name}` }).click()
  await expect.poll(() => decisionOf(db, ben)).toEqual({ status: 'approved', decisionNumber: ben.decisionNumber + 2 })
  const history = await db('application_decisions')
    .where({ applicationId: ben.id })
    .orderBy('decisionNumber')
    .select('toStatus', 'deviceName')
  expect(history.slice(-2), 'both decisions are in the history').toMatchObject([
    { toStatus: 'rejected', deviceName: 'iPad' },
    { toStatus: 'approved', deviceName: 'Chrome on Linux' },
  ])
  expect(await decisionOf(db, ana)).toEqual({ status: 'rejected', decisionNumber: ana.decisionNumber + 1 })
  await expectNothingQueued(page)
  await openManage(page, eventId, ana)
  await expect(card(page, ana)).toContainText('Rejected')
  await expect(card(page, ben)).toContainText('Approved')
})

test('an edit or deletion that met another edit is sent, dropped or corrected @nightly', async ({ device, db }) => {
  const { context, page, eventId, pending } = await openBusiest({ device, db })
  const [ana] = pending
  const tablet = await device()
  await signIn(tablet.page, olivia)
  await openManage(tablet.page, eventId, ana)

  /** Both rename the event, this device offline. Ends with this device's edit refused. */
  async function collide(mine: string, theirs: string): Promise<Locator> {
    const now = (await eventOf(db, eventId))?.name ?? ''
    for (const each of [page, tablet.page]) {
      await each.goto(`/events/manage/${eventId}`)
      await expect(each.getByRole('heading', { name: now, level: 1 })).toBeVisible()
    }
    await context.setOffline(true)
    await rename(page, eventId, mine)
    await rename(tablet.page, eventId, theirs)
    await expect.poll(async () => (await eventOf(db, eventId))?.name).toBe(theirs)
    await context.setOffline(false)
    const conflict = await openRefused(page, `Edit ${mine}`)
    await expect(conflict.getByText('On the server').locator('..')).toContainText(theirs)
    await expect(conflict.getByText('On this device', { exact: true }).locator('..')).toContainText(mine)
    return conflict
  }

  await collide('Candles', 'Torches')
  await page.getByRole('button', { name: 'Send Mine: Edit Candles' }).click()
  await expect.poll(() => eventOf(db, eventId)).toEqual({ name: 'Candles', edition: 3 })
  await expectNothingQueued(page)

  await collide('Matches', 'Lighters')
  await page.getByRole('button', { name: 'Keep Theirs: Edit Matches' }).click()
  await expect(refused(page, 'Edit Matches')).toHaveCount(0)
  await expectNothingQueued(page)
  expect(await eventOf(db, eventId)).toEqual({ name: 'Lighters', edition: 4 })

  await collide('Sparks', 'Embers')
  await page.getByRole('link', { name: 'Edit and Resend: Edit Sparks' }).click()
  await expect(page.getByLabel('Event Name')).toHaveValue('Sparks')
  await page.getByLabel('Event Name').fill('Sparks and Embers')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect.poll(() => eventOf(db, eventId)).toEqual({ name: 'Sparks and Embers', edition: 6 })
  await expectNothingQueued(page)

  await page.goto(`/events/manage/${eventId}`)
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Event' }).click()
  await page.waitForURL('**/dashboard')
  await rename(tablet.page, eventId, 'Ashes')
  await expect.poll(async () => (await eventOf(db, eventId))?.name).toBe('Ashes')
  await context.setOffline(false)
  await openRefused(page, 'Delete Ashes')
  await expect(page.getByRole('button', { name: 'Keep the Event: Delete Ashes' })).toBeVisible()
  await page.getByRole('button', { name: 'Delete Anyway: Delete Ashes' }).click()
  await expect.poll(() => eventOf(db, eventId)).toBeUndefined()
  await expectNothingQueued(page)
})
