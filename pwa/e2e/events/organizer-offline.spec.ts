import { springDay } from './event-form.ts'
import {
  busiestEvent,
  button,
  card,
  decideMany,
  decisionOf,
  expectConfirmed,
  expectDecidedOnce,
  expectKept,
  holdOn,
  openBusiest,
  openManage,
  view,
} from '../applications/applicants.ts'
import { expect, test } from '../journey.ts'

test('notes, stars, arrivals and events changed offline arrive once @nightly', async ({ device, server, db }) => {
  await holdOn(db, (await busiestEvent(db)).eventId, [-1, 1])
  const { page, eventId, name, pending, approved } = await openBusiest({ device, db })
  const [ana, ben, cleo, dan, eve] = pending
  const [fay] = approved
  const [closed, deleted] = (await db('events')
    .where({ organizerId: 1 })
    .andWhere('endDate', '>', db.raw('current_date'))
    .whereNot({ id: eventId })
    .orderBy('id')
    .limit(2)
    .select('id', 'name')) as [{ id: number }, { id: number; name: string }]
  await server.kill()
  await page.reload()
  await expect(card(page, ana)).toContainText('Pending')

  const star = button(page, ana, 'Star')
  await star.click()
  await expect(star).toHaveAttribute('aria-pressed', 'true')
  await expect(card(page, ana), 'a star does not look like a decision').toContainText('Pending')

  const written = await view(page, ana)
  await written.getByLabel('Private note').fill('Speaks Spanish, ask about Friday.')
  await page.keyboard.press('Escape')
  await expect(card(page, ana), 'a note is kept however the dialog is closed').toContainText('Speaks Spanish')

  const here = (await view(page, fay)).getByRole('button', { name: 'Here today' })
  await here.click()
  await expect(here).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Here today 1' }), 'they are counted').toBeVisible()

  const sheet = await decideMany(page, [ben, cleo, dan, eve], 'Approve')
  await expect(sheet).toContainText('Approve 4 people?')
  await expect(sheet).toContainText('4 emails will be sent')
  await sheet.getByRole('button', { name: 'Approve 4' }).click()
  await expect(sheet.getByRole('list', { name: 'Results' }).getByText('saved on this device')).toHaveCount(4)
  await sheet.getByRole('button', { name: 'Done' }).click()
  await button(page, cleo, 'Undo for').click()
  await expect(card(page, cleo)).toContainText('Pending')
  await (await view(page, eve)).getByRole('button', { name: 'Here today' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Here today 2' })).toBeVisible()
  await button(page, eve, 'Undo for').click()
  await expect(card(page, eve), 'what was marked on top of an approval goes with it').toContainText('Pending')
  await expect(page.getByRole('button', { name: 'Here today 1' })).toBeVisible()

  const untold = await view(page, cleo)
  await untold.getByLabel('Tell the applicant').uncheck()
  await untold.getByRole('button', { name: `Reject ${cleo.name}` }).click()
  await page.keyboard.press('Escape')
  await expect(card(page, cleo)).toContainText('Rejected')
  await expectKept(page, cleo)

  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Use as template' }).click()
  await expect(page.getByText(`Filled in from ${name}`)).toBeVisible()
  await expect(page.getByLabel('Start Date')).toHaveValue('')
  await page.getByLabel('Event Name').fill('The same again')
  await page.getByLabel('Start Date').fill(springDay)
  await page.getByLabel('End Date').fill(springDay)
  await page.getByRole('button', { name: 'Create Event' }).evaluate((pressedTwice: HTMLElement) => {
    pressedTwice.click()
    pressedTwice.click()
  })
  await page.waitForURL(/\/events\/\d+\/customize$/)
  expect(await db('events').where({ name: 'The same again' }), 'the server is dead').toEqual([])

  await page.goto(`/events/manage/${closed.id}`)
  await page.getByLabel('People can apply').click()
  await expect(page.getByText('You closed them by hand.')).toBeVisible()
  await page.goto(`/events/manage/${deleted.id}`)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Event' }).click()
  await page.waitForURL('**/dashboard')
  await expect(page.getByRole('link', { name: `Manage Event: ${deleted.name}` })).toHaveCount(0)

  await openManage(page, eventId, ana)
  await server.start()
  for (const applicant of [ana, ben, cleo, dan, fay]) await expectConfirmed(page, applicant)
  await expect(
    page
      .getByText('All saved')
      .or(page.getByText('Saved', { exact: true }))
      .first(),
  ).toBeVisible()

  for (const applicant of [ben, dan]) await expectDecidedOnce(db, applicant, 'approved')
  expect(await db('applications').where({ id: eve.id }).first('status', 'decisionNumber', 'arrivedAt')).toEqual({
    status: 'pending',
    decisionNumber: eve.decisionNumber,
    arrivedAt: null,
  })
  expect(await db('applications').where({ id: ana.id }).first('note', 'starred', 'status')).toEqual({
    note: 'Speaks Spanish, ask about Friday.',
    starred: true,
    status: 'pending',
  })
  expect((await db('applications').where({ id: fay.id }).first('arrivedAt'))?.arrivedAt).toBeInstanceOf(Date)
  expect(await db('audit_log').where({ route: 'markApplication', status: 200 })).toHaveLength(3)
  const [old, again] = await Promise.all(
    [name, 'The same again'].map((one) =>
      db('events').where({ name: one }).select('description', 'customQuestions', 'customBeaconEmailBody'),
    ),
  )
  expect(again, 'one event, though pressed twice, with the texts and questions of the old one').toEqual(old)
  expect(await decisionOf(db, cleo)).toEqual({ status: 'rejected', decisionNumber: cleo.decisionNumber + 1 })
  expect(await db('jobs').where('key', 'like', `decision-mail:${cleo.id}:%`), 'nobody is told').toEqual([])
  expect((await db('events').where({ id: closed.id }).first('applicationsClosed'))?.applicationsClosed).toBe(true)
  expect(await db('events').where({ id: deleted.id })).toEqual([])
})

test('one Undo takes a whole decision about many back', async ({ device, db }) => {
  const { page, pending } = await openBusiest({ device, db })
  const [ana, ben] = pending
  const sheet = await decideMany(page, [ana, ben], 'Reject')
  await sheet.getByLabel('Tell the applicants').uncheck()
  await expect(sheet).toContainText('No emails will be sent')
  await sheet.getByRole('button', { name: 'Reject 2' }).click()
  await sheet.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('Rejected 2 people', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  for (const applicant of [ana, ben]) await expect(card(page, applicant)).toContainText('Pending')
  expect(await db('application_decisions').whereIn('applicationId', [ana.id, ben.id])).toEqual([])
})
