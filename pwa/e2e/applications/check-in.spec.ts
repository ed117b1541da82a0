import { apiOf, applyByCall, decideByCall } from '../client.ts'
import { expect, olivia, test } from '../journey.ts'
import { endUndoWindow, holdOn } from './applicants.ts'
import { applyAsBea, openEvent } from './application-form.ts'

test('a Beacon checks in by the poster at the door, offline @nightly', async ({ page, server, db }) => {
  const { eventId, applicant, stored } = await applyAsBea(page, db)
  await holdOn(db, eventId, [0, 1])
  await decideByCall(await apiOf(server.origin, olivia), applicant.id, 'approved')

  const here = page.getByRole('button', { name: 'I’m here' })
  await page.goto(`/events/${eventId}/here`)
  await expect(here).toBeFocused()
  await server.kill()
  await page.goto(`/events/${eventId}/here`)
  await expect(here).toBeFocused()
  await expect(here).toHaveAttribute('aria-pressed', 'false')
  expect((await stored())?.arrivedAt, 'opening the page checks nobody in').toBeNull()
  await here.click()
  await expect(page.getByRole('heading', { name: 'You’re here' })).toBeVisible()
  await endUndoWindow(page)
  await page.reload()
  await expect(page.getByText('it will be sent automatically')).toBeVisible()

  await server.start()
  await expect(page.getByText('The organizer sees that you have arrived.')).toBeVisible()
  expect((await stored())?.arrivedAt).not.toBeNull()
  expect(await db('audit_log').where({ route: 'checkIn', status: 200 })).toHaveLength(1)
})

test('at the door a device without an application asks for the link, and of two whose it is @nightly', async ({
  device,
  server,
  db,
}) => {
  const { id: eventId, name } = await openEvent(db)
  await holdOn(db, eventId, [0, 1])
  const other = (await device({ serviceWorkers: 'block' })).page
  await other.goto(`/events/${eventId}/here`)
  await expect(other.getByText('Open the link in your email on this phone', { exact: false })).toBeVisible()
  await expect(other.getByRole('link', { name: `About ${name}` })).toBeVisible()
  for (const firstName of ['Ben', 'Ann']) {
    const email = `${firstName.toLowerCase()}@shared.example`
    const { token } = await applyByCall(server.origin, eventId, { firstName, lastName: 'Ode', email })
    await other.goto('/')
    await other.goto(`/events/${eventId}/apply#application=${token}`)
    await other.waitForURL(/\?own=/)
  }
  await other.goto(`/events/${eventId}/here`)
  await expect(other.getByRole('link', { name: 'Ben Ode' })).toBeVisible()
  await other.getByRole('link', { name: 'Ann Ode' }).click()
  await expect(other.getByRole('heading', { name: 'Application Submitted' })).toBeVisible()
})
