import sharp from 'sharp'
import { todayIn } from '#shared/time/event-time.ts'
import { byWeek } from '../../events/search/event-weeks.ts'
import { openEvent } from '../applications/application-form.ts'
import { expect, olivia, signIn, test } from '../journey.ts'
import { movedByItself } from '../layout-shifts.ts'
import { copiesBegin, copyEvent } from './copied-events.ts'

test.use({ timezoneId: 'America/Chicago' })

test('the light of a cover, chosen offline, is in everyone’s list @nightly', async ({ page, device, server, db }) => {
  const { id, name } = await openEvent(db)
  const stored = async () => (await db('events').where({ id }).first())!
  await signIn(page, olivia)
  await page.goto(`/events/edit/${id}`)
  await page.getByRole('button', { name: 'Save Changes' }).waitFor()
  await server.kill()
  await page.reload()
  const cover = page.locator('[data-cover]')
  await expect(cover).not.toHaveAttribute('data-cover', 'Tide')
  await page.getByText('Tide', { exact: true }).click()
  await expect(page.getByRole('radio', { name: 'Tide' })).toBeChecked()
  await expect(cover, 'the event’s own scene shows it').toHaveAttribute('data-cover', 'Tide')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await page.waitForURL('**/dashboard')
  await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText('saved on this device')
  expect((await stored()).coverPalette).toBeNull()

  await server.start()
  await expect.poll(async () => (await stored()).coverPalette).toBe('Tide')
  const { startDate, beaconIncentives } = await stored()
  const beacons = await db('applications').where({ eventId: id, status: 'approved' }).whereRaw('coming is not false')
  const guest = (await device({ serviceWorkers: 'block' })).page
  await guest.goto('/events')
  const [week] = byWeek([startDate], (date) => date, todayIn('America/Chicago', new Date()))
  const found = guest
    .locator('section')
    .filter({ has: guest.getByRole('heading', { level: 2, name: week!.title, exact: true }) })
    .getByRole('listitem')
    .filter({ has: guest.getByRole('heading', { level: 3, name }) })
  await expect(found).toContainText(`${beacons.length} Beacon`)
  await expect(found).toContainText(beaconIncentives.slice(0, 40))
  await guest.getByRole('searchbox').fill(name)
  await expect(guest.getByRole('listitem').filter({ hasText: 'View Details' })).toHaveCount(1)
  await expect(found.locator('[data-cover]')).toHaveAttribute('data-cover', 'Tide')
  await found.click({ position: { x: 40, y: 40 } })
  await guest.waitForURL(`**/events/${id}`)
  await expect(guest.locator('main [data-cover]')).toHaveAttribute('data-cover', 'Tide')
})

test('a picture chosen offline shows at once, arrives once, and goes again', async ({ page, device, server, db }) => {
  const { id } = await openEvent(db)
  const stored = async () => (await db('event_covers').where({ eventId: id }).first()) ?? null
  await signIn(page, olivia)
  await page.goto(`/events/edit/${id}`)
  await page.getByRole('button', { name: 'Save Changes' }).waitFor()
  await server.kill()
  await page.reload()
  const shown = page.locator('[data-cover] img')
  await page.getByRole('button', { name: 'Use a picture of yours' }).waitFor()
  await page.getByLabel('Picture for the cover').setInputFiles('README.md')
  await expect(page.getByText('This device cannot read the file as a picture.')).toBeVisible()
  await page.getByLabel('Picture for the cover').setInputFiles('public/link-preview.png')
  await expect(shown).toHaveAttribute('src', /^data:image\/webp;base64,/)
  await page.reload()
  await expect(shown, 'it is on this device').toHaveAttribute('src', /^data:image\/webp;base64,/)
  expect(await stored()).toBeNull()

  await server.start()
  await expect.poll(async () => (await stored())?.sha256).toMatch(/^[0-9a-f]{64}$/)
  const address = `/pictures/events/${id}/${(await stored())?.sha256}.webp`
  await expect(shown).toHaveAttribute('src', address)
  expect((await stored())?.body.length).toBeLessThanOrEqual(80_000)
  const guest = (await device({ serviceWorkers: 'block' })).page
  await guest.goto(`/events/${id}`)
  const seen = guest.locator(`main img[src="${address}"]`)
  await expect.poll(() => seen.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1200)

  await page.getByRole('button', { name: 'Back to the drawn one' }).click()
  await expect(shown).toHaveCount(0)
  await expect.poll(stored).toBeNull()
})

test('100 pictures in the list move nothing, and only those near the window are fetched @nightly', async ({
  device,
  db,
}) => {
  const { id } = await openEvent(db)
  const body = await sharp({ create: { width: 1200, height: 600, channels: 3, background: '#803060' } })
    .webp()
    .toBuffer()
  await copyEvent(db, id, 100, { cover_hash: `repeat('a', 64)` })
  await db.raw('insert into event_covers select id, cover_hash, ?, now() from events where id > ?', [body, copiesBegin])
  await db('sync_log').where({ scope: 'public', collection: 'events' }).andWhere('version', '<', copiesBegin).delete()
  const { page } = await device({ serviceWorkers: 'block' })
  const fetched = new Set<string>()
  page.on('request', (request) => {
    if (request.url().includes('/pictures/events/')) fetched.add(request.url())
  })
  await page.goto('/events')
  const pictures = page.locator('main [data-cover] img')
  await expect(pictures).toHaveCount(50)
  const drawn = (at: number) =>
    expect.poll(() => pictures.nth(at).evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1200)
  await drawn(0)
  expect(fetched.size).toBeLessThan(40)
  await page.getByRole('button', { name: 'Show More Events' }).click()
  await expect(pictures).toHaveCount(100)
  for (const at of [40, 70, 99]) {
    await pictures.nth(at).scrollIntoViewIfNeeded()
    await drawn(at)
  }
  expect(fetched.size).toBeLessThan(90)
  expect(await movedByItself(page)).toBe(0)
})
