import { decide, endUndoWindow } from './applicants.ts'
import { apply, openEvent } from './application-form.ts'
import { expect, olivia, readyForOffline, signIn, test } from '../journey.ts'

const bea = {
  first: 'Bea',
  last: 'Sandoval',
  email: 'bea.sandoval@example.com',
  expertise: 'Organs.',
  bio: 'I listen.',
}

test.use({ viewport: { width: 390, height: 844 } })

test('a photo given with the server dead is shown to guests once its Beacon is approved, and goes when it is taken back', async ({
  device,
  server,
  db,
}) => {
  const { id: eventId } = await openEvent(db)
  const { page } = await device()
  await page.goto(`/events/${eventId}`)
  await readyForOffline(page)
  await apply(page, eventId, bea)
  const { id } = (await db('applications').where({ email: bea.email }).first('id'))!
  const stored = async () => (await db('application_faces').where({ applicationId: id }).first()) ?? null
  await server.kill()
  await page.getByLabel('Photo of you').setInputFiles('public/link-preview.png')
  await expect(page.locator('img[src^="data:image/webp"]')).toBeVisible()
  await page.reload()
  await expect(page.locator('img[src^="data:image/webp"]'), 'it is on this device').toBeVisible()
  await server.start()
  await expect.poll(async () => (await stored())?.sha256).toMatch(/^[0-9a-f]{64}$/)
  await expect(page.getByText('It is kept, and shown once you are approved.')).toBeVisible()
  const address = `/pictures/beacons/${id}/${(await stored())?.sha256}.webp`
  const guest = (await device({ serviceWorkers: 'block' })).page
  expect((await guest.request.get(server.origin + address)).status(), 'not before the approval').toBe(404)

  const organizer = await device({ serviceWorkers: 'block' })
  await signIn(organizer.page, olivia)
  await organizer.page.goto(`/events/manage/${eventId}`)
  await decide(organizer.page, { id, name: 'Bea Sandoval', email: bea.email, decisionNumber: 0 }, 'Approve')
  await endUndoWindow(organizer.page)
  await expect.poll(async () => (await db('applications').where({ id }).first())?.status).toBe('approved')
  await guest.goto(`/events/${eventId}`)
  const face = guest.locator(`img[src="${address}"]`)
  await face.scrollIntoViewIfNeeded()
  await expect.poll(() => face.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320)

  await page.reload()
  await page.getByRole('button', { name: 'Remove Photo' }).click()
  await expect.poll(stored).toBeNull()
  expect((await guest.request.get(server.origin + address)).status()).toBe(404)
})
