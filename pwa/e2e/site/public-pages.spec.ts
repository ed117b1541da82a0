import type { Page } from 'playwright/test'
import { expect, goByLink, olivia, readyForOffline, signIn, sharingTest as test } from '../journey.ts'
import { readingPages } from './reading-pages.ts'

/** The pages strangers read, with the name in their heading. */
const pages = [
  ['/', 'Nobody should stand alone at your event.'],
  ...readingPages,
  ['/blog/two-good-introductions', 'Two good introductions beat twenty handshakes'],
] as const

test.use({ viewport: { width: 1280, height: 800 } })

const header = (page: Page) => page.getByRole('banner')
const marked = (page: Page) =>
  header(page).getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]').allInnerTexts()

/** What a page says of itself now. */
const head = (page: Page) =>
  page.evaluate(() => ({
    title: document.title,
    canonical: document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href,
  }))

test('what the server says of a page is what the page says, also by a link', async ({ device, server }) => {
  const { page } = await device({ serviceWorkers: 'allow' })
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  await page.goto('/')
  for (const [path, title] of pages) {
    const html = await (await fetch(server.origin + path)).text()
    const said = {
      title: /<title>(.*?)<\/title>/.exec(html)?.[1],
      canonical: /<link rel="canonical" href="(.*?)"/.exec(html)?.[1],
    }
    expect(said.canonical).toBe(server.origin + path)
    await goByLink(page, path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect.poll(() => head(page), path).toEqual(said)
  }

  // Facts for search engines stand in a script that no policy has to allow, because nothing runs it.
  const event = await device({ serviceWorkers: 'allow' })
  event.page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  await event.page.goto('/events/1')
  await event.page.getByRole('heading', { name: 'Meet the Beacons' }).waitFor()
  expect(await event.page.locator('script[type="application/ld+json"]').count()).toBe(1)
  expect(complaints).toEqual([])
})

test('the landing’s lamps and people are below its buttons, on a phone and on a wall', async ({ page }) => {
  await page.goto('/')
  const hero = page.locator('section').filter({ has: page.getByRole('heading', { level: 1 }) })
  for (const width of [320, 1280, 1920, 2560]) {
    await page.setViewportSize({ width, height: 900 })
    const [text, drawn] = await hero.evaluate((section) => [
      Math.max(...[...section.querySelectorAll('a')].map((link) => link.getBoundingClientRect().bottom)),
      Math.min(...[...section.querySelectorAll('svg path, svg circle')].map((one) => one.getBoundingClientRect().top)),
    ])
    expect(drawn, `${width} px`).toBeGreaterThanOrEqual(text!)
  }
})

test('the header marks Events on their public pages only; older and changed addresses lead on', async ({ page }) => {
  await signIn(page, olivia)
  await page.goto('/events')
  await expect.poll(() => marked(page)).toEqual(['Events'])
  for (const [path, marks] of [
    ['/events/1', ['Events']],
    ['/events/manage/1', []],
    ['/events/create', []],
    ['/events/1/customize', []],
    ['/', ['Home']],
    ['/resources', ['Resources']],
  ] as const) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => marked(page), path).toEqual(marks)
  }

  for (const [old, now] of [
    ['/create-event', '/events/create'],
    ['/events/1/edit', '/events/edit/1'],
    ['/edit-event/1', '/events/edit/1'],
    ['/events/1).', '/events/1'],
    ['/events/1&fbclid=IwAR0', '/events/1'],
  ] as const) {
    await page.goto(old)
    await expect.poll(() => new URL(page.url()).pathname).toBe(now)
  }
})

test('nothing at an address says so, to people and to machines', async ({ page, server }) => {
  expect((await page.goto('/nowhere'))?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 Page Not Found')
  expect(await marked(page)).toEqual([])
  await page.getByRole('link', { name: 'Browse Events' }).click()
  await expect.poll(() => marked(page)).toEqual(['Events'])
  expect((await page.goto('/blog/nothing'))?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 Page Not Found')
  expect((await fetch(`${server.origin}/events/999999`)).status).toBe(404)
  const named = await (await fetch(`${server.origin}/sitemap.xml`)).text()
  expect(named).toContain(`<loc>${server.origin}/blog/two-good-introductions</loc>`)
  expect(await (await fetch(`${server.origin}/robots.txt`)).text()).toContain(`Sitemap: ${server.origin}/sitemap.xml`)
})

test('an event goes into the calendar with the same words, online and offline', async ({ device, server }) => {
  const { page, context } = await device({ serviceWorkers: 'allow' })
  await page.goto('/events/1')
  await readyForOffline(page)
  const link = page.getByRole('link', { name: 'Add to calendar' })
  const save = async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    return { name: download.suggestedFilename(), text: Buffer.concat(chunks).toString('utf8') }
  }
  const online = await save()
  expect(online.text).toBe(await (await fetch(`${server.origin}/events/1.ics`)).text())

  await context.setOffline(true)
  await page.reload()
  await link.waitFor()
  await page.getByText(/^Saved on this device, as of/).waitFor()
  const offline = await save()
  // The device does not know how often the event was edited, so its file never counts as newer than the server's.
  expect(online.text).toContain('SEQUENCE:')
  expect(offline.text).not.toContain('SEQUENCE:')
  const facts = ({ text }: { text: string }) => text.replace(/(DTSTAMP|SEQUENCE):.*\r\n/g, '')
  expect(offline.name).toBe(online.name)
  expect(facts(offline)).toBe(facts(online))
})
