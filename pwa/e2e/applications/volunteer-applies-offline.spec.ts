import type { Page } from 'playwright/test'
import { asWallClock } from '#shared/time/event-time.ts'
import { bea, fillInApplication, openEvent, submitApplication, type Volunteer } from './application-form.ts'
import { queueRows, receiptRows } from '../device-database.ts'
import { expect, readyForOffline, test } from '../journey.ts'

const volunteer: Volunteer = { ...bea, phone: '(415) 555-0177' }

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

test('a volunteer applies offline, closes the page, and has applied once', async ({ device, server, db }) => {
  const event = await openEvent(db)
  const stored = () => db('applications').where({ eventId: event.id, email: volunteer.email })
  const phone = await device()
  await watchForSubmitted(phone.page)
  await phone.page.goto(`/events/${event.id}`)
  await readyForOffline(phone.page)

  await server.kill()
  await phone.page.goto(`/events/${event.id}/apply`)
  await fillInApplication(phone.page, volunteer)
  await submitApplication(phone.page)
  await expect(phone.page.getByRole('heading', { name: 'Saved on this device' })).toBeVisible()
  await expect(phone.page.getByText('it will be sent automatically')).toBeVisible()
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
  expect(await stored()).toHaveLength(0)

  await server.start()
  const later = await phone.context.newPage()
  await later.goto(`/events/${event.id}/apply`)
  await expect(later.getByRole('heading', { name: 'Application Submitted' })).toBeVisible()
  expect(await saidSubmitted(later)).toBe(true)
  await later.reload()
  await expect(later.getByRole('heading', { name: 'Application Submitted' }), 'it stays submitted').toBeVisible()

  const [row, ...more] = await stored()
  expect(more, 'one application').toHaveLength(0)
  expect(row).toMatchObject({
    firstName: volunteer.first,
    lastName: volunteer.last,
    phone: volunteer.phone,
    experience: 'First time',
    bio: volunteer.bio,
    status: 'pending',
  })
  expect(await queueRows(later), 'nothing is left to send').toEqual([])
  expect(await receiptRows(later), 'one acknowledgement').toHaveLength(1)
  const answers = await db('idempotency_keys')
    .where({ docId: row?.id ?? 0 })
    .whereLike('scope', 'device:%')
  expect(answers, 'the server answered one key with it').toHaveLength(1)
  expect(await db('jobs').where({ kind: 'new-application-push' }), 'the organizer is alerted once').toHaveLength(1)
})

test('an application finished without a network before the deadline is taken after it @nightly', async ({
  device,
  server,
  db,
}) => {
  const event = await openEvent(db)
  const phone = await device()
  await phone.page.goto(`/events/${event.id}`)
  await readyForOffline(phone.page)
  await server.kill()
  const hourAgo = await phone.context.newPage()
  await hourAgo.addInitScript(() => {
    const now = Date.now.bind(Date)
    Date.now = () => now() - 3_600_000
  })
  await hourAgo.goto(`/events/${event.id}/apply`)
  await fillInApplication(hourAgo, volunteer)
  await submitApplication(hourAgo)
  await expect(hourAgo.getByRole('heading', { name: 'Saved on this device' })).toBeVisible()
  await hourAgo.close()

  const row = db('events').where({ id: event.id })
  const { timeZone } = await row.clone().first('timeZone')
  const halfAnHourAgo = new Date(Date.now() - 1_800_000).toISOString()
  await row.clone().update({ applicationsCloseAt: asWallClock(halfAnHourAgo, timeZone) })
  await server.start()
  await phone.page.goto(`/events/${event.id}/apply`)
  await expect(phone.page.getByRole('heading', { name: 'Application Submitted' })).toBeVisible()
  expect(await db('applications').where({ eventId: event.id, email: volunteer.email }).pluck('sentLate')).toEqual([
    true,
  ])
})
