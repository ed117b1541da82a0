import sharp from 'sharp'
import { apiOf, decideByCall } from '../client.ts'
import { endUndoWindow } from './applicants.ts'
import { applyAsBea } from './application-form.ts'
import { expect, olivia, test } from '../journey.ts'

test('a Beacon reads offline where to stand, and says whether they come', async ({ page, server, db }) => {
  const { eventId, applicant, stored } = await applyAsBea(page, db)
  await db('events').where({ id: eventId }).update({ beaconInstructions: 'Use the side door.', promoCode: 'LAMP-27' })
  await decideByCall(await apiOf(server.origin, olivia), applicant.id, 'approved')
  await db('applications').where({ id: applicant.id }).update({ post: 'Front door' })
  await page.reload()
  await expect(page.getByText('Use the side door.')).toBeVisible()

  await server.kill()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'You’re a Beacon' })).toBeVisible()
  await expect(page.getByText('Use the side door.')).toBeVisible()
  await expect(page.getByText('LAMP-27')).toBeVisible()
  await expect(page.getByText('Front door')).toBeVisible()
  const saved = page.waitForEvent('download')
  await page.evaluate(() => Object.assign(navigator, { canShare: () => false }))
  await page.getByRole('button', { name: 'Save a Picture to Share' }).click()
  expect(await sharp(await (await saved).path()).metadata(), 'drawn without a network').toMatchObject({
    format: 'png',
    width: 1080,
    height: 1080,
  })
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
  await expect(page.getByText('your answer will be sent automatically')).toBeVisible()
  expect((await stored())?.coming).toBeNull()

  await page.goto(`/events/${eventId}`)
  await expect(page.getByRole('link', { name: 'You’re a Beacon: your page' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Apply to be a Beacon' })).toHaveCount(0)
  await page.getByRole('link', { name: 'You’re a Beacon: your page' }).click()
  await expect(page.getByRole('heading', { name: 'You’re a Beacon' })).toBeVisible()

  await server.start()
  await expect.poll(async () => (await stored())?.coming).toBe(false)
  await expect(page.getByText('your answer will be sent automatically')).toHaveCount(0)
  const alerts = await db('jobs').where({ kind: 'beacon-news' })
  expect(alerts.map(({ payload }) => payload['news'])).toEqual(['absent'])
})
