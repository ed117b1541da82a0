import { approveOn } from './applicants.ts'
import { applyAsBea } from './application-form.ts'
import { expect, test } from '../journey.ts'

test('a photo given offline is shown once approved, and goes when taken back', async ({ page, device, server, db }) => {
  const { eventId, applicant } = await applyAsBea(page, db)
  const stored = async () => (await db('application_faces').where({ applicationId: applicant.id }).first()) ?? null
  await server.kill()
  await page.getByLabel('Photo of you').setInputFiles('public/link-preview.png')
  await expect(page.locator('img[src^="data:image/webp"]')).toBeVisible()
  await page.reload()
  await expect(page.locator('img[src^="data:image/webp"]'), 'it is on this device').toBeVisible()
  await server.start()
  await expect.poll(async () => (await stored())?.sha256).toMatch(/^[0-9a-f]{64}$/)
  await expect(page.getByText('It is kept, and shown once you are approved.')).toBeVisible()
  const address = `/pictures/beacons/${applicant.id}/${(await stored())?.sha256}.webp`
  const guest = (await device({ serviceWorkers: 'block' })).page
  expect((await guest.request.get(server.origin + address)).status(), 'not before the approval').toBe(404)

  await approveOn((await device({ serviceWorkers: 'block' })).page, db, eventId, applicant)
  await guest.goto(`/events/${eventId}`)
  const face = guest.locator(`img[src="${address}"]`)
  await face.scrollIntoViewIfNeeded()
  await expect.poll(() => face.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320)

  await page.reload()
  await page.getByRole('button', { name: 'Remove Photo' }).click()
  await expect.poll(stored).toBeNull()
  expect((await guest.request.get(server.origin + address)).status()).toBe(404)
})
