import type { Page } from 'playwright/test'
import { busiestEvent, card, holdOn, openManage, view, type Applicant } from '../applications/applicants.ts'
import { createEvent } from '../events/event-form.ts'
import { expect, olivia, setClock, signIn } from '../journey.ts'
import { isBatch, isPull, isStream, report, since, test } from './road-journey.ts'

const dayMs = 86_400_000
const dateShown = (page: Page) => page.evaluate(() => new Date().getTime())

test('with a clock 400 days slow events are created, asking seldom @nightly', async ({ device, server, db, road }) => {
  const { name } = await busiestEvent(db)
  const phone = await device({ baseURL: road.origin })
  await setClock(phone.context, -400 * dayMs)
  const { page } = phone
  await signIn(page, olivia)
  expect(Math.abs((await dateShown(page)) - Date.now() + 400 * dayMs)).toBeLessThan(dayMs)
  const upcoming = page.getByRole('region', { name: 'Your Events' })
  await expect(upcoming.getByText(name).first()).toBeVisible()
  await expect(upcoming.getByText('Nothing is coming up.'), 'an event to come is not over').toHaveCount(0)
  await expect(page.getByText('Your subscription expired')).toHaveCount(0)

  await page.goto('/events/create')
  await expect(page.getByLabel('Event Name')).toBeVisible()
  const online = await createEvent(page, { name: 'Made with a network' })
  await expect.poll(() => db('events').where({ id: online }).first('name')).toBeTruthy()

  await server.kill()
  await page.goto('/events/create')
  await expect(page.getByLabel('Event Name'), 'what the server said last is remembered').toBeVisible()
  const offline = await createEvent(page, { name: 'Made without one' })
  await server.start()
  await expect
    .poll(() => db('events').where({ id: offline }).first('name'))
    .toEqual({
      name: 'Made without one',
    })
  await page.goto(`/events/${offline}`)
  await expect(page.getByRole('link', { name: 'Apply' }).first()).toBeVisible()
  await expect(page.getByText('This event is over')).toHaveCount(0)

  // Six pages and a server that went and came back; a phone whose clock is right needs 5 batches, 32 pulls and 7 streams.
  report('a clock 400 days slow, batches of two changes', since(road, 0, isBatch).length, 12)
  report('a clock 400 days slow, pulls', since(road, 0, isPull).length, 60)
  report('a clock 400 days slow, streams', since(road, 0, isStream).length, 16)
  // What a page fetches when it is opened comes to its end first.
  await expect.poll(() => performance.now() - (road.calls.at(-1)?.at ?? 0)).toBeGreaterThan(3_000)
  const at = performance.now()
  await page.waitForTimeout(10_000)
  report('a clock 400 days slow, calls in 10 s of doing nothing', since(road, at).length, 3)
})

for (const [clock, byDays] of [
  ['a day slow', -1],
  ['a day fast', 1],
  ['400 days fast', 400],
  ['400 days slow', -400],
] as const) {
  test(`"Here" pressed by a clock ${clock} shows on a tablet with the right one @nightly`, async ({
    device,
    server,
    db,
  }) => {
    const { eventId, approved } = await busiestEvent(db)
    const [fay, gus] = approved
    await holdOn(db, eventId, [-1, 1])
    const phone = await device()
    await setClock(phone.context, byDays * dayMs)
    const tablet = await device({ viewport: { width: 1024, height: 768 } })
    for (const { page } of [phone, tablet]) {
      await signIn(page, olivia)
      await openManage(page, eventId, fay)
    }
    const press = async (someone: Applicant) => {
      const here = (await view(phone.page, someone)).getByRole('button', { name: 'Here today' })
      await here.click()
      await expect(here).toHaveAttribute('aria-pressed', 'true')
      await phone.page.keyboard.press('Escape')
    }
    await press(fay)
    await expect(tablet.page.getByRole('button', { name: 'Here today 1' })).toBeVisible()

    await server.kill()
    await phone.page.reload()
    await expect(card(phone.page, gus)).toBeVisible()
    await press(gus)
    await server.start()
    await expect(tablet.page.getByRole('button', { name: 'Here today 2' })).toBeVisible()
    for (const { id } of [fay, gus]) {
      const row = await db('applications').where({ id }).first('arrivedAt')
      expect(Math.abs(row!.arrivedAt!.getTime() - Date.now()), 'as the server’s clock showed it').toBeLessThan(300_000)
    }
  })
}
