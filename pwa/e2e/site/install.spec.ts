import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { chromium } from 'playwright/test'
import { expect, olivia, readyForOffline, signIn, test } from '../journey.ts'

const built = path.resolve('dist/pwa')

type Picture = Readonly<Record<'src' | 'sizes' | 'type' | 'purpose' | 'form_factor' | 'label', string>>

interface Manifest {
  start_url: string
  icons: Picture[]
  screenshots: Picture[]
  shortcuts: { name: string; url: string; icons: Picture[] }[]
}

const manifest = (): Manifest => JSON.parse(readFileSync(path.join(built, 'manifest.webmanifest'), 'utf8')) as Manifest

/** Width × height as the file itself says: the first chunk of every PNG. */
function sizeOf(file: string): string {
  const bytes = readFileSync(file)
  expect(bytes.subarray(1, 4).toString(), file).toBe('PNG')
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`
}

/** The manifest is complete, and every picture it names has the size it says. */
function expectCompleteManifest(): void {
  const given = manifest()
  expect(given).toMatchObject({
    id: '/',
    name: 'Beaconry',
    short_name: 'Beaconry',
    description: expect.stringMatching(/\w{3}/),
    scope: '/',
    display: 'standalone',
    display_override: expect.arrayContaining(['standalone']),
    categories: expect.arrayContaining(['events']),
    launch_handler: { client_mode: expect.arrayContaining(['navigate-existing']) },
    theme_color: expect.stringMatching(/^#[\da-f]{6}$/),
    background_color: expect.stringMatching(/^#[\da-f]{6}$/),
  })
  expect(given.start_url).toMatch(/^\/\?/)
  expect(given.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`).sort()).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ])
  const maskable = given.icons.find(({ purpose }) => purpose === 'maskable')
  expect(
    given.icons.filter(({ src }) => src === maskable?.src),
    'the maskable icon is a picture of its own',
  ).toHaveLength(1)
  expect(new Set(given.screenshots.map(({ form_factor }) => form_factor))).toEqual(new Set(['narrow', 'wide']))
  for (const { label } of given.screenshots) expect(label).toMatch(/\w{3}/)
  expect(given.shortcuts.length).toBeGreaterThan(0)
  for (const { name, url } of given.shortcuts) expect(`${name} ${url}`).toMatch(/^\S.* \/\w+/)

  const pictures = [...given.icons, ...given.screenshots, ...given.shortcuts.flatMap(({ icons }) => icons)]
  for (const { src, sizes, type } of pictures) {
    const file = path.join(built, src)
    expect(existsSync(file), src).toBe(true)
    expect(sizeOf(file), src).toBe(sizes)
    expect(type, src).toBe('image/png')
  }
  const html = readFileSync(path.join(built, 'index.html'), 'utf8')
  expect(html).toMatch(/<link rel="manifest"/)
  expect(html).toMatch(/viewport-fit=cover/)
  const touchIcon = /rel="apple-touch-icon" href="([^"]+)"/.exec(html)?.[1] ?? ''
  expect(sizeOf(path.join(built, touchIcon))).toBe('180x180')
}

test('a browser finds no reason not to install the app', async ({ server }, testInfo) => {
  expectCompleteManifest()
  const { launchOptions } = testInfo.project.use
  const context = await chromium.launchPersistentContext(testInfo.outputPath('profile'), {
    ...launchOptions,
    baseURL: server.origin,
  })
  try {
    const [page] = context.pages()
    if (!page) throw new Error('a browser starts with a page')
    await page.goto('/')
    await readyForOffline(page)
    const devtools = await context.newCDPSession(page)
    const { errors, data } = await devtools.send('Page.getAppManifest')
    expect(errors).toEqual([])
    expect(JSON.parse(data ?? '{}')).toMatchObject({ name: 'Beaconry' })
    await expect
      .poll(async () => (await devtools.send('Page.getInstallabilityErrors')).installabilityErrors)
      .toEqual([])
  } finally {
    await context.close()
  }
})

test('started from the home screen without a server the app is there, with the organizer’s events and plan', async ({
  context,
  page,
  server,
}) => {
  await signIn(page, olivia)
  await expect(page.getByRole('link', { name: /Manage Event/ }).first()).toBeVisible()
  await page.goto('/pricing')
  await expect(page.getByText('Current Plan')).toBeVisible()
  await page.goto('/manage-subscription')
  await expect(page.getByText('You can create events')).toBeVisible()
  await page.close()
  await server.kill()
  const started = await context.newPage()
  await started.goto(manifest().start_url)
  await expect(started.getByRole('heading', { name: 'Welcome, olivia' })).toBeVisible()
  await expect(started.getByRole('link', { name: /Manage Event/ }).first()).toBeVisible()
  for (const [path, text] of [
    ['/pricing', '$149'],
    ['/manage-subscription', 'You can create events'],
    ['/billing-history', 'The list of payments needs a connection'],
    ['/checkout-status', 'Payment information not found. Please try again.'],
  ] as const) {
    await started.goto(path)
    await expect(started.getByText(text), path).toBeVisible()
  }
})
