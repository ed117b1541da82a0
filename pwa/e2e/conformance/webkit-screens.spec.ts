import { readFileSync } from 'node:fs'
import type { Knex } from 'knex'
import { expect } from '../journey.ts'
import { readingPages } from '../site/reading-pages.ts'
import { expectText, signIn, test } from '../webkit-journey.ts'
import type { WebKit } from '../webkit.ts'
import {
  absentTexts,
  findSeenIds,
  readOverflow,
  readTexts,
  viewers,
  type SeenIds,
  type SeenScreen,
} from './seen-screens.ts'

const desktop = { width: 1280, height: 900 }
const phone = { width: 390, height: 844 }

const keptErrors = (webkit: WebKit) => webkit.evaluate(() => localStorage.getItem('beaconry/errors'))

/**
 * Opens screens by their addresses, in a desktop's width that shows the most, and then in a phone's. Leaves a picture of
 * each among the results, for people to look at.
 */
async function expectScreens(
  { webkit, db, origin }: { webkit: WebKit; db: Knex; origin: string },
  screens: readonly SeenScreen[],
): Promise<void> {
  test.setTimeout(600_000)
  const wrong: string[] = []
  // A screen comes in parts: what is there is there at last.
  const settled = async (findings: () => Promise<string[]>) => {
    const found = expect.poll(findings, { timeout: 10_000 }).toEqual([])
    await found.catch(() => undefined)
    return await findings()
  }
  // WebKit paints later than it lays out: the picture is taken until it is the same twice.
  const picture = async (path: string, size: string) => {
    const file = test.info().outputPath(`${path.slice(1).replaceAll(/\W+/g, '-') || 'landing'}-${size}.png`)
    let before: Buffer | undefined
    const isSame = async () => {
      const last = before
      await webkit.screenshot(file)
      before = readFileSync(file)
      return last?.equals(before)
    }
    await expect.poll(isSame, { intervals: [250], message: `${path} comes to rest` }).toBe(true)
  }
  for (const screen of screens.filter(({ act }) => act === undefined)) {
    await webkit.resize(desktop)
    await webkit.open(origin + screen.path)
    await expectText(webkit, screen.until, 'main')
    const findings = await settled(async () => [
      ...absentTexts(await webkit.evaluate(readTexts), screen),
      ...(await webkit.evaluate(readOverflow)),
    ])
    await picture(screen.path, 'desktop')
    await webkit.resize(phone)
    await expect.poll(() => webkit.evaluate(() => innerWidth)).toBe(phone.width)
    findings.push(...(await settled(() => webkit.evaluate(readOverflow))))
    await picture(screen.path, 'phone')
    wrong.push(...findings.map((finding) => `${screen.path}: ${finding}`))
    expect(await keptErrors(webkit), `${screen.path} throws nothing`).toBeNull()
  }
  expect(wrong).toEqual([])
  expect(await db('rate_limits').whereLike('key', '%error-report%'), 'no page has sent an error').toEqual([])
}

/** A page whose heading is its title. */
const titled = (path: string, title: string): SeenScreen => ({ path, until: title, texts: [title], parts: [] })

/** Pages of which the specification says no more than what they are called. */
const alsoRead: Readonly<Record<string, (ids: SeenIds) => readonly SeenScreen[]>> = {
  'a visitor': () => [
    ...readingPages.map(([path, title]) => titled(path, title)),
    titled('/my-applications', 'Your applications'),
    titled('/sync', 'Everything is saved online.'),
  ],
  'an organizer': ({ busy }) => [
    titled('/inbox', 'Waiting for you'),
    titled('/analytics', 'Where applications come from'),
    titled('/account-settings', 'Current password'),
    titled(`/events/manage/${busy}/poster`, 'Become a Beacon'),
    titled(`/events/create?template=${busy}`, 'Create Event'),
    titled('/sync', 'Everything is saved online.'),
  ],
  'an admin': () => [titled('/admin/accounts/1', 'olivia')],
}

for (const viewer of viewers)
  test(`${viewer.name} reads every screen opened by address in WebKit @nightly`, async ({
    webkit,
    server: { origin },
    db,
  }) => {
    const ids = await findSeenIds(db)
    if ('comeIn' in viewer) await signIn(webkit, origin, await viewer.comeIn(origin))
    const screens = [...viewer.screens(ids), ...(alsoRead[viewer.name]?.(ids) ?? [])]
    await expectScreens({ webkit, db, origin }, screens)
  })
