import { approveOn, card, endUndoWindow } from './applicants.ts'
import { applyAsBea } from './application-form.ts'
import { expect, test } from '../journey.ts'

test('an approved Beacon reads with the server dead where to stand, and says whether they come', async ({
  page,
  device,
  server,
  db,
}) => {
  const { eventId, name, applicant, stored } = await applyAsBea(page, db)
  await db('events').where({ id: eventId }).update({ beaconInstructions: 'Use the side door.', promoCode: 'LAMP-27' })
  const organizer = await device({ serviceWorkers: 'block' })
  await approveOn(organizer.page, db, eventId, applicant)
  await page.reload()
  await expect(page.getByText('Use the side door.')).toBeVisible()

  await server.kill()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'You are a Beacon' })).toBeVisible()
  await expect(page.getByText('Use the side door.')).toBeVisible()
  await expect(page.getByText('LAMP-27')).toBeVisible()
  await expect(page.getByRole('link', { name: /map, opens in a new tab/ })).toBeVisible()
  const yes = page.getByRole('button', { name: 'Yes, I’ll be there' })
  await yes.scrollIntoViewIfNeeded()
  const place = (await yes.boundingBox())!
  const tap = () => page.mouse.click(place.x + place.width / 2, place.y + place.height / 2)
  await tap()
  await expect(page.getByRole('heading', { name: 'You will be there' })).toBeVisible()
  await tap()
  await expect(page.getByRole('heading', { name: 'You will be there' }), 'after a double tap').toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('heading', { name: 'Will you be there?' })).toBeVisible()
  await page.getByRole('button', { name: 'I can’t come' }).click()
  await expect(page.getByRole('heading', { name: 'You can’t come' })).toBeVisible()
  await endUndoWindow(page)
  await page.reload()
  await expect(page.getByText('your answer is sent by itself')).toBeVisible()
  expect((await stored())?.coming).toBeNull()

  await server.start()
  await expect.poll(async () => (await stored())?.coming).toBe(false)
  await expect(page.getByText('your answer is sent by itself')).toHaveCount(0)
  await expect(card(organizer.page, applicant).getByText('Can’t come')).toBeVisible()
  await expect(organizer.page.getByText(/^Approved Beacons: .* 1 can’t come$/)).toBeVisible()
  const alerts = await db('jobs').where({ kind: 'beacon-news' })
  expect(alerts.map(({ payload }) => payload['news'])).toEqual(['absent'])
  const guest = await device({ serviceWorkers: 'block' })
  await guest.page.goto(`/events/${eventId}`)
  await expect(guest.page.getByRole('heading', { name, level: 1 })).toBeVisible()
  await expect(guest.page.getByRole('heading', { name: 'Bea Sandoval' }), 'no guest looks for them').toHaveCount(0)
})
