import { readFileSync } from 'node:fs'
import path from 'node:path'
import { chromium } from 'playwright/test'
import sharp from 'sharp'
import { expect, olivia, readyForOffline, signIn, test } from '../journey.ts'

type Picture = Readonly<Record<'src' | 'sizes' | 'purpose' | 'form_factor', string>>

const built = path.resolve('dist/pwa')
const manifest = JSON.parse(readFileSync(path.join(built, 'manifest.webmanifest'), 'utf8')) as {
  readonly start_url: string
  readonly icons: readonly Picture[]
  readonly screenshots: readonly Picture[]
  readonly shortcuts: readonly { readonly icons: readonly Picture[] }[]
}

async function sizeOf(src: string): Promise<string> {
  const { format, width, height } = await sharp(path.join(built, src)).metadata()
  expect(format, src).toBe('png')
  return `${width}x${height}`
}

test('a browser finds no reason not to install the app, each picture has its size @nightly', async ({
  server,
}, testInfo) => {
  const { icons, screenshots, shortcuts } = manifest
  for (const { src, sizes } of [...icons, ...screenshots, ...shortcuts.flatMap((shortcut) => shortcut.icons)])
    expect(await sizeOf(src), src).toBe(sizes)
  expect(icons.map(({ purpose }) => purpose)).toContain('maskable')
  expect(new Set(screenshots.map(({ form_factor }) => form_factor))).toEqual(new Set(['narrow', 'wide']))

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

test('started without a server the app is there, with events and plan @nightly', async ({ context, page, server }) => {
  await signIn(page, olivia)
  await expect(page.getByRole('link', { name: /Manage Event/ }).first()).toBeVisible()
  await page.goto('/pricing')
  await expect(page.getByText('Current Plan')).toBeVisible()
  await page.goto('/manage-subscription')
  await expect(page.getByText('You can create events')).toBeVisible()
  await page.close()
  await server.kill()
  const started = await context.newPage()
  await started.goto(manifest.start_url)
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
