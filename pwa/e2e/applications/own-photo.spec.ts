import { apiOf, decideByCall } from '../client.ts'
import { applyAsBea } from './application-form.ts'
import { expect, olivia, test } from '../journey.ts'

test('a photo given offline is shown once approved, and goes when taken back @nightly', async ({
  page,
  device,
  server,
  db,
}) => {
  const { eventId, applicant } = await applyAsBea(page, db)
  const stored = async () => (await db('application_faces').where({ applicationId: applicant.id }).first()) ?? null
  await server.kill()
  await page.getByLabel('Photo of you').setInputFiles('public/link-preview.png')
  await expect(page.locator('img[src^="data:image/webp"]')).toBeVisible()
  await page.reload()
  await expect(page.locator('img[src^="data:image/webp"]'), 'it is on this device').toBeVisible()
  await server.start()
  await expect.poll(async () => (await stored())?.sha256).toMatch(/^[0-9a-f]{64}$/)
  await expect(page.getByText('The organizer sees it now, and guests once you are approved.')).toBeVisible()
  const address = `/pictures/beacons/${applicant.id}/${(await stored())?.sha256}.webp`
  const guest = (await device({ serviceWorkers: 'block' })).page
  await decideByCall(await apiOf(server.origin, olivia), applicant.id, 'approved')
  await guest.goto(`/events/${eventId}`)
  const face = guest.locator(`img[src="${address}"]`)
  await face.scrollIntoViewIfNeeded()
  await expect.poll(() => face.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320)

  await page.reload()
  await page.getByRole('button', { name: 'Remove Photo' }).click()
  await expect.poll(stored).toBeNull()
})
