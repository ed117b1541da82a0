import type { Knex } from 'knex'
import type { Page } from 'playwright/test'
import { signUp } from '../accounts/sign-up.ts'
import { ada, expect, olivia, otto, signIn, sharingTest as test } from '../journey.ts'
import { openScreen, readTexts, seenScreens, type SeenIds, type SeenScreen } from './seen-screens.ts'

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

test('what each person reads on each screen is what the specification says', async ({ device, db }) => {
  const ids = await eventsToLookAt(db)
  const missing: string[] = []
  for (const [who, comeIn] of [
    ['visitor', (page: Page) => page.goto('/')],
    ['newcomer', (page: Page) => signUp(page, 'nora')],
    ['olivia', (page: Page) => signIn(page, olivia)],
    ['otto', (page: Page) => signIn(page, otto)],
    ['ada', (page: Page) => signIn(page, ada)],
  ] as const) {
    const { page } = await device({ viewport: { width: 1280, height: 800 } })
    await comeIn(page)
    missing.push(...(await missingTexts(page, who, ids)))
  }
  expect(missing).toEqual([])
})
