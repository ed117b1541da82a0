import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright/test'
import sharp from 'sharp'
import { ownApplication } from './applications/applicant-screens.ts'
import { olivia, signIn, wholeBrowserTest as test } from './journey.ts'
import { findDemoIds, viewers } from './screens.ts'

/*
 * Pictures of every screen in two sizes and two themes, for people to look at, in dist/screenshots:
 *   npm run screenshots
 * and those of the install dialog, the README, the landing page and link previews, in public:
 *   npm run screenshots -- -g public
 */

const sizes: Record<string, BrowserContextOptions> = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  desktop: { viewport: { width: 1280, height: 800 } },
}

for (const [size, options] of Object.entries(sizes))
  for (const colorScheme of ['light', 'dark'] as const)
    test(`every screen, ${size}, ${colorScheme}`, async ({ device, db }) => {
      for (const { comeIn, screens } of viewers(await findDemoIds(db))) {
        const { page } = await device({ ...options, colorScheme })
        await comeIn(page)
        for (const screen of screens) {
          await screen.open(page)
          // The whole page, from its top, or the window where a dialog stands over it.
          const fullPage = (await page.locator('dialog:modal').count()) === 0
          if (fullPage) await page.evaluate(() => scrollTo(0, 0))
          const file = path.resolve('dist/screenshots', `${size}-${colorScheme}`, `${screen.name}.png`)
          await page.screenshot({ path: file, fullPage })
        }
      }
    })

/** Opens the applicants with the server dead and decides about three of them. */
async function decideWithoutServer(page: Page, eventId: number): Promise<void> {
  await page.goto(`/events/manage/${eventId}`)
  await page.locator('[data-row]').first().waitFor()
  const rows = await page.locator('[data-row]').evaluateAll((all) => all.map((row) => row.getAttribute('data-row')))
  for (const [place, decision] of ['Approve', 'Approve', 'Reject'].entries()) {
    const row = page.locator(`[data-row="${rows[place]}"]`)
    await row.getByRole('button', { name: new RegExp(`^${decision} `) }).click()
    await row.getByText('saved on this device').waitFor()
  }
}

const narrow: BrowserContextOptions = { ...sizes['phone'], viewport: { width: 360, height: 640 }, deviceScaleFactor: 3 }
const wide: BrowserContextOptions = { viewport: { width: 1280, height: 720 }, deviceScaleFactor: 1.5 }

/** A picture of the page as it is, in public. */
const save = async (page: Page, name: string) =>
  writeFileSync(path.resolve('public', `${name}.png`), await smaller(await page.screenshot()))

const onLanding: BrowserContextOptions = { ...sizes['phone'], deviceScaleFactor: 1.5 }

/** The window in both themes, as small files: the landing page shows the one of its reader's theme. */
async function saveInBothThemes(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const wanted = colorScheme === 'dark' ? 'beaconry-dark' : 'beaconry'
    await page.waitForFunction((theme) => document.documentElement.dataset['theme'] === theme, wanted)
    const file = path.resolve('public/screenshots', `landing-${name}-${colorScheme}.webp`)
    await sharp(await page.screenshot())
      .webp({ quality: 74, effort: 6 })
      .toFile(file)
  }
}

test('the pictures on the landing page, in public', async ({ device, server, db }) => {
  const { published, managed } = await findDemoIds(db)
  const guest = (await device(onLanding)).page
  await guest.goto(`/events/${published}`)
  await guest.getByRole('heading', { name: 'Meet the Beacons' }).waitFor()
  await saveInBothThemes(guest, 'event')

  const volunteer = (await device(onLanding)).page
  await volunteer.goto(await ownApplication(published, 'approved')(volunteer))
  await volunteer.getByRole('heading', { name: 'You’re a Beacon' }).waitFor()
  await saveInBothThemes(volunteer, 'beacon')

  const organizer = (await device(onLanding)).page
  await signIn(organizer, olivia)
  await organizer.goto(`/events/manage/${managed}`)
  await organizer.locator('[data-row]').first().waitFor()
  await server.kill()
  await decideWithoutServer(organizer, managed)
  const first = organizer.locator('[data-row]').first()
  await first.evaluate((row) => window.scrollTo(0, row.getBoundingClientRect().top + window.scrollY - 190))
  await saveInBothThemes(organizer, 'manage')
})

// In the sizes the manifest names.
test('the screenshots in public', async ({ device, server, db }) => {
  const { published, managed } = await findDemoIds(db)
  const visitor = (await device(narrow)).page
  await visitor.goto(`/events/${published}`)
  await visitor.getByRole('heading', { name: 'Meet the Beacons' }).waitFor()
  await save(visitor, 'screenshots/event-narrow')

  const phone = (await device(narrow)).page
  const desktop = (await device(wide)).page
  for (const page of [phone, desktop]) {
    await signIn(page, olivia)
    await page.goto(`/events/manage/${managed}`)
    await page.locator('[data-row]').first().waitFor()
  }
  await server.kill()
  const views = [
    { page: phone, name: 'manage-narrow', above: 190 },
    { page: desktop, name: 'manage-wide', above: 316 },
  ]
  for (const { page, name, above } of views) {
    await decideWithoutServer(page, managed)
    const first = page.locator('[data-row]').first()
    await first.evaluate((row, px) => window.scrollTo(0, row.getBoundingClientRect().top + window.scrollY - px), above)
    await save(page, `screenshots/${name}`)
  }
})

// What is shown beside a link to us: the brand, the promise and the hall, as the landing page draws them.
test('the link preview in public', async ({ device }) => {
  const { page } = await device({ viewport: { width: 1200, height: 630 }, colorScheme: 'dark' })
  await page.goto('/')
  await page.getByRole('link', { name: 'See How It Works' }).waitFor()
  await page.evaluate(async () => {
    await document.fonts.ready
    const nav = document.querySelector('header nav')
    for (const element of [nav, nav?.nextElementSibling, document.querySelector('main a')?.parentElement])
      if (element instanceof HTMLElement) element.style.display = 'none'
  })
  await save(page, 'link-preview')
})

/** The same picture, deflated as tightly as can be; browsers save theirs in a hurry. */
async function smaller(png: Buffer): Promise<Buffer> {
  return await sharp(png).png({ compressionLevel: 9 }).toBuffer()
}
