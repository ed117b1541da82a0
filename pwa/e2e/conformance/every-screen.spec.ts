import type { Knex } from 'knex'
import type { Page } from 'playwright/test'
import { expect, olivia, otto, signIn, test } from '../journey.ts'
import { textsOn } from './conformance-table.ts'
import { openScreen, readTexts, seenScreens, type ScreenName, type SeenIds } from './seen-screens.ts'

const ada = { email: 'ada@example.com', password: 'beaconry-demo' }
const desktop = { viewport: { width: 1280, height: 800 } }

/** Walks the screens of one person and answers the texts that are not there. */
async function missingTexts(page: Page, who: keyof typeof seenScreens, ids: SeenIds): Promise<string[]> {
  const missing: string[] = []
  for (const [name, screen] of Object.entries(seenScreens[who])) {
    await openScreen(page, screen, ids)
    const wanted = textsOn(name as ScreenName)
    const absent = async () => {
      const read = await readTexts(page)
      const all = [...read].join('\n')
      return wanted.filter(({ text, within }) => !(within ? all.includes(text) : read.has(text)))
    }
    // A screen comes in parts: what is there is there at last.
    await expect
      .poll(absent, { timeout: 5_000 })
      .toEqual([])
      .catch(() => undefined)
    missing.push(...(await absent()).map(({ text }) => `${name}: ${text}`))
    if (await page.getByRole('alertdialog').isVisible()) await page.keyboard.press('Escape')
  }
  return missing
}

/** Olivia's event with most applicants, and one nobody has applied to. */
async function eventsToLookAt(db: Knex): Promise<SeenIds> {
  const counted = (order: string) =>
    db('events')
      .leftJoin('applications', 'applications.eventId', 'events.id')
      .where('events.organizerId', 1)
      .andWhere('events.endDate', '>', db.raw('current_date'))
      .groupBy('events.id')
      .orderByRaw(order)
      .first('events.id')
  const busy = await counted("count(*) filter (where applications.status = 'pending') desc")
  const quiet = await counted('count(applications.id)')
  return { busy: busy.id, quiet: quiet.id }
}

test('what a visitor reads is what the specification says', async ({ device, db }) => {
  const { page } = await device(desktop)
  await page.goto('/')
  expect(await missingTexts(page, 'visitor', await eventsToLookAt(db))).toEqual([])
})

test('what an organizer reads is what the specification says', async ({ device, db }) => {
  const { page } = await device(desktop)
  await signIn(page, olivia)
  expect(await missingTexts(page, 'olivia', await eventsToLookAt(db))).toEqual([])
})

test('what an organizer without a plan, with a used-up one, and an admin read is what the specification says', async ({
  device,
  db,
}) => {
  const ids = await eventsToLookAt(db)
  const { page } = await device(desktop)
  await page.goto('/auth#sign-up')
  const form = page.getByRole('tabpanel', { name: 'Sign Up' })
  await form.getByLabel('Username').fill('nora')
  await form.getByLabel('Email').fill('nora@example.com')
  await form.getByLabel('Password', { exact: true }).fill('long enough')
  await form.getByLabel('Confirm Password').fill('long enough')
  await form.getByRole('button', { name: 'Create Account' }).click()
  await page.waitForURL('**/dashboard')
  const missing = await missingTexts(page, 'newcomer', ids)
  for (const [who, account] of [
    ['otto', otto],
    ['ada', ada],
  ] as const) {
    const other = await device(desktop)
    await signIn(other.page, account)
    missing.push(...(await missingTexts(other.page, who, ids)))
  }
  expect(missing).toEqual([])
})
