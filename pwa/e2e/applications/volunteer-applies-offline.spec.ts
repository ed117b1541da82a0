import type { Knex } from 'knex'
import type { Page } from 'playwright/test'
import { fillInApplication, openEvent, submitApplication, type Volunteer } from './application-form.ts'
import { applyByCall } from '../client.ts'
import { queueRows, receiptRows } from '../device-database.ts'
import { expect, olivia, readyForOffline, signIn, test } from '../journey.ts'

const bio =
  'I repair organ pipes by day and lead a walking group by night, and in both I listen for the one that is quietly out of tune with the others.'

const bo: Volunteer = {
  first: 'Bo',
  last: 'Sandoval',
  email: 'bo.sandoval@example.com',
  phone: '(415) 555-0177',
  expertise: 'Organ building, walking, listening.',
  bio,
}

const applicationsOf = (db: Knex, eventId: number, email: string) =>
  db('applications').where({ eventId }).whereRaw('lower(email) = ?', email.toLowerCase()).select('*')

/** From now on, in every page of this device: remembers whether it ever said that the server has the application. */
async function watchForSubmitted(page: Page): Promise<void> {
  await page.context().addInitScript(() => {
    const look = () => {
      if (document.body?.textContent?.includes('Application Submitted')) Object.assign(window, { saidSubmitted: true })
    }
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
  })
}

const saidSubmitted = (page: Page) => page.evaluate(() => 'saidSubmitted' in window)

/** Opens the form of an event this device has seen. */
async function openForm(page: Page, eventId: number): Promise<void> {
  await page.goto(`/events/${eventId}/apply`)
  await expect(page.getByRole('heading', { name: 'Become a Beacon' })).toBeVisible()
}

/** Looks at an event until this device could show it without a network. */
async function seeEvent(page: Page, event: { id: number; name: string }): Promise<void> {
  await watchForSubmitted(page)
  await page.goto(`/events/${event.id}`)
  await expect(page.getByRole('heading', { name: event.name, level: 1 })).toBeVisible()
  await readyForOffline(page)
}

/** Applies without a network, and waits until the application is kept. */
async function applyOffline(page: Page, eventId: number, volunteer: Volunteer): Promise<void> {
  await openForm(page, eventId)
  await fillInApplication(page, volunteer)
  await submitApplication(page)
  await expect(page.getByRole('heading', { name: 'Saved on this device' })).toBeVisible()
}

/** Everything typed into the form is in it. */
async function expectFilled(page: Page, { first, last, email }: Volunteer): Promise<void> {
  await expect(page.getByLabel('First name')).toHaveValue(first)
  await expect(page.getByLabel('Last name')).toHaveValue(last)
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email)
  await expect(page.getByLabel('Phone')).toHaveValue('(415) 555-0177')
  await expect(page.getByLabel('First time')).toBeChecked()
  await expect(page.getByLabel('How would you describe your networking style?')).toHaveValue('Slow and kind.')
  await expect(page.getByLabel('A short bio for the event page')).toHaveValue(bio)
}

test('a volunteer applies offline, closes the page, and has applied once', async ({ device, server, db }) => {
  const event = await openEvent(db)
  const phone = await device()
  await seeEvent(phone.page, event)

  await server.kill()
  await applyOffline(phone.page, event.id, bo)
  await expect(phone.page.getByText('it will be sent by itself')).toBeVisible()
  expect(await saidSubmitted(phone.page), 'nothing says submitted before the server did').toBe(false)
  await phone.page.close()

  const again = await phone.context.newPage()
  await again.goto(`/events/${event.id}/apply`)
  await expect(
    again.getByRole('heading', { name: 'Saved on this device' }),
    'it is still here with the server still dead',
  ).toBeVisible()
  expect(await saidSubmitted(again)).toBe(false)
  await again.close()
  expect(await applicationsOf(db, event.id, bo.email)).toHaveLength(0)

  await server.start()
  const later = await phone.context.newPage()
  await later.goto(`/events/${event.id}/apply`)
  await expect(later.getByRole('heading', { name: 'Application Submitted' })).toBeVisible()
  expect(await saidSubmitted(later)).toBe(true)
  await later.reload()
  await expect(later.getByRole('heading', { name: 'Application Submitted' }), 'it stays submitted').toBeVisible()

  const [row, ...more] = await applicationsOf(db, event.id, bo.email)
  expect(more, 'one application').toHaveLength(0)
  expect(row).toMatchObject({
    firstName: bo.first,
    lastName: bo.last,
    phone: '(415) 555-0177',
    experience: 'First time',
    bio,
    status: 'pending',
  })
  expect(await queueRows(later), 'nothing is left to send').toEqual([])
  expect(await receiptRows(later), 'one acknowledgement').toHaveLength(1)
  const answers = await db('idempotency_keys').where('body', 'like', `%"id":${row?.id},"eventId":${event.id}%`)
  expect(answers, 'the server answered one key with it').toHaveLength(1)
  expect(await db('jobs').where({ kind: 'new-application-push' }), 'the organizer is alerted once').toHaveLength(1)
})

test('a refused application keeps every word and goes on corrected @nightly', async ({ device, server, db }) => {
  const event = await openEvent(db)
  await applyByCall(server.origin, event.id, { email: bo.email })
  const organizer = (await device({ serviceWorkers: 'block' })).page
  await signIn(organizer, olivia)
  const setClosed = async (isClosed: boolean) => {
    await organizer.goto(`/events/edit/${event.id}`)
    await organizer.getByLabel('Applications are closed').setChecked(isClosed)
    await organizer.getByRole('button', { name: 'Save Changes' }).click()
    await expect
      .poll(async () => (await db('events').where({ id: event.id }).first('applicationsClosed'))?.applicationsClosed)
      .toBe(isClosed)
  }
  const { context, page } = await device()
  const twin = { ...bo, first: 'Bea', email: 'BO.Sandoval@example.com' }
  await seeEvent(page, event)
  await context.setOffline(true)
  await applyOffline(page, event.id, twin)
  await setClosed(true)

  const expectRefused = async (reason: string) => {
    await expect(page.getByText(`Error: ${reason}`).first()).toBeVisible()
    await expectFilled(page, twin)
    expect(await saidSubmitted(page)).toBe(false)
    expect(await applicationsOf(db, event.id, bo.email)).toHaveLength(1)
  }
  await context.setOffline(false)
  await expectRefused('Applications for this event are closed.')
  const other = await device()
  await other.page.goto(`/events/${event.id}/apply`)
  await expect(other.page.getByRole('heading', { name: 'Applications for this event are closed.' })).toBeVisible()
  await expect(other.page.getByRole('button', { name: 'Submit Application' })).toHaveCount(0)

  await setClosed(false)
  const sendAgain = async () => {
    await page.getByLabel('I agree to the terms').check()
    await page.getByRole('button', { name: 'Send Again' }).click()
  }
  await sendAgain()
  const isKnown = 'Thank you, but we already have your application for this event.'
  await expectRefused(isKnown)
  await page.reload()
  await expectRefused(isKnown)
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectRefused(isKnown)

  await page.getByLabel('Email', { exact: true }).fill('bea.sandoval@example.com')
  await sendAgain()
  await expect(page.getByRole('heading', { name: 'Application Submitted' })).toBeVisible()
  for (const email of ['bea.sandoval@example.com', bo.email])
    expect(await applicationsOf(db, event.id, email)).toHaveLength(1)
})
