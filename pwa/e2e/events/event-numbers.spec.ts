import type { Page } from 'playwright/test'
import { rowsOnDisk } from '../device-database.ts'
import { createEvent } from './event-form.ts'
import { expect, olivia, signIn, test, type PersonalDevice } from '../journey.ts'

const patience = { timeout: 60_000 }
const inARow = 20

/** Waits until this device holds numbers for new events. */
async function holdsNumbers(page: Page): Promise<void> {
  await expect
    .poll(async () => (await numbersHeld(page)).length, { ...patience, message: 'numbers for new events are here' })
    .toBeGreaterThanOrEqual(inARow)
}

/** The numbers for new events that this device holds, as its disk says. */
async function numbersHeld(page: Page): Promise<unknown[]> {
  const row = (await rowsOnDisk(page, 'beaconry-device', 'settings')).find(({ name }) => name === 'event-numbers/1')
  return (row as { value: { free: unknown[] } } | undefined)?.value.free ?? []
}

const settled = async ({ page }: PersonalDevice) => {
  await page.goto('/sync')
  await expect(page.getByText('Everything on this device is on the server.')).toBeVisible(patience)
}

test('twenty events are created in a row without a network, and all of them exist once, under the numbers they had @nightly', async ({
  device,
  server,
  db,
}) => {
  test.setTimeout(300_000)
  const phone = await device({ viewport: { width: 390, height: 844 } })
  const { page } = phone
  await signIn(page, olivia)
  await holdsNumbers(page)
  await server.kill()
  const shown = new Map<string, number>()
  for (let count = 1; count <= inARow; count += 1) {
    const name = `Without a network ${count}`
    shown.set(name, await createEvent(page, { name }))
  }
  expect(new Set(shown.values()).size).toBe(inARow)
  await page.goto('/dashboard')
  for (const name of shown.keys()) await expect(page.getByText(name, { exact: true }).first()).toBeVisible()
  expect(await db('events').where('name', 'like', 'Without a network%')).toEqual([])

  await server.start()
  const created = () => db('events').where('name', 'like', 'Without a network%').select('id', 'name')
  await expect.poll(async () => (await created()).length, patience).toBe(inARow)
  await settled(phone)
  expect(new Map((await created()).map(({ id, name }) => [name, id]))).toEqual(shown)
  expect(await db('audit_log').where({ route: 'createEvent', status: 201 })).toHaveLength(inARow)
  await holdsNumbers(page)
})

test('two phones that were one lose no event: the second gets another number and is told', async ({
  device,
  server,
  db,
}) => {
  test.setTimeout(240_000)
  const first = await device()
  await signIn(first.page, olivia)
  await holdsNumbers(first.page)
  // A restored or cloned phone: the same device to the server, with the same numbers.
  const profile = await first.context.storageState({ indexedDB: true })
  const second = await device({ storageState: profile })
  await second.page.goto('/dashboard')
  await expect(second.page.getByRole('heading', { name: 'Welcome, olivia' })).toBeVisible(patience)
  await expect.poll(() => second.page.evaluate(() => navigator.serviceWorker.controller !== null), patience).toBe(true)
  await holdsNumbers(second.page)
  await server.kill()
  const one = await createEvent(first.page, { name: 'Made on the first phone' })
  const other = await createEvent(second.page, { name: 'Made on the second phone' })
  expect(other, 'both phones were given the same number').toBe(one)
  await second.page.goto('/dashboard')
  await first.page.goto('about:blank')

  await server.start()
  const events = () => db('events').where('name', 'like', 'Made on the % phone').orderBy('name').select('id', 'name')
  await expect.poll(async () => (await events()).length, patience).toBe(1)
  await first.page.goto('/dashboard')
  await expect.poll(async () => (await events()).length, patience).toBe(2)
  const ids = (await events()).map(({ id }) => id)
  expect(new Set(ids).size).toBe(2)
  const late = (await events()).find(({ id }) => id !== one)!
  const { page } = late.name === 'Made on the first phone' ? first : second
  await expect(page.getByText('An event has a new address')).toBeVisible(patience)
  await expect(
    page.getByText(`“${late.name}” was event ${one} and is now event ${late.id}.`),
    'printed links lead elsewhere, and its organizer is told so',
  ).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Got it' }).click()
  await expect(page.getByText('An event has a new address')).toHaveCount(0)
  for (const each of [first, second]) await settled(each)
})

test('events queued under numbers that the server has forgotten are created under them all the same @nightly', async ({
  device,
  server,
  db,
}) => {
  const phone = await device()
  const { page } = phone
  await signIn(page, olivia)
  await holdsNumbers(page)
  await server.kill()
  const shown = [await createEvent(page, { name: 'Queued first' }), await createEvent(page, { name: 'Queued second' })]
  // What a snapshot of the database from before the sign-in knows of numbers.
  await db('event_id_leases').del()
  await db.raw(`select setval('events_id_seq', (select max(id) from events))`)
  await server.start()
  const ids = async () => (await db('events').where('name', 'like', 'Queued %').orderBy('name')).map(({ id }) => id)
  await expect.poll(ids, patience).toEqual(shown)
  await settled(phone)
  const later = await createEvent(page, { name: 'Made afterwards' })
  await expect
    .poll(() => db('events').where({ id: later }).first('name'), patience)
    .toEqual({ name: 'Made afterwards' })
  await page.goto('/dashboard')
  await expect(page.getByText('An event has a new address')).toHaveCount(0)
})
