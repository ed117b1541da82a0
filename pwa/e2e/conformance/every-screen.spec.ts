import type { Knex } from 'knex'
import type { Page } from 'playwright/test'
import { signUp } from '../accounts/sign-up.ts'
import { ada, expect, olivia, otto, signIn, sharingTest as test } from '../journey.ts'
import { openScreen, readTexts, seenScreens, type SeenIds, type SeenScreen } from './seen-screens.ts'

const desktop = { viewport: { width: 1280, height: 800 } }

/** Walks the screens of one person and answers the texts that are not there. */
async function missingTexts(page: Page, who: keyof typeof seenScreens, ids: SeenIds): Promise<string[]> {
  const missing: string[] = []
  for (const [name, screen] of Object.entries<SeenScreen>(seenScreens[who])) {
    await openScreen(page, screen, ids)
    const absent = async () => {
      const read = await readTexts(page)
      const all = [...read].join('\n')
      return [
        ...screen.texts.filter((text) => !read.has(text)),
        ...(screen.parts ?? []).filter((text) => !all.includes(text)),
      ]
    }
    // A screen comes in parts: what is there is there at last.
    await expect
      .poll(absent)
      .toEqual([])
      .catch(() => undefined)
    missing.push(...(await absent()).map((text) => `${name}: ${text}`))
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
  await signUp(page, 'nora')
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
