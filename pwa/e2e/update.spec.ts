import { createHash } from 'node:crypto'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright/test'
import { expect, olivia, signIn, test as base } from './journey.ts'

const hashOf = (text: string | Buffer) => createHash('sha256').update(text).digest('base64')
const secondVersion = (html: string) => html.replace('</head>', '<meta name="app-version" content="2"></head>')

interface Deployment {
  readonly origin: string
  /** From now on the server has another version of the app: a changed page, and the worker that lists it. */
  deploy(): void
  /** From now on these files are gone. */
  remove(name: RegExp): void
}

/** The built server behind a door that can give out another version of the app than the one that was built. */
const test = base.extend<{ deployment: Deployment }>({
  deployment: async ({ server }, use) => {
    let isDeployed = false
    let removed: RegExp | null = null
    const door = createServer((incoming, answer) => {
      const path = incoming.url ?? '/'
      if (removed?.test(path)) {
        answer.writeHead(404).end()
        return
      }
      const { 'if-none-match': _, 'if-modified-since': __, ...asked } = incoming.headers
      const headers = { ...asked, 'accept-encoding': 'identity' }
      const onwards = request(
        `${server.origin}${path}`,
        { method: incoming.method, headers },
        (inner) => void pass(inner),
      )
      async function pass(inner: IncomingMessage): Promise<void> {
        const isPage = inner.headers['content-type']?.startsWith('text/html') ?? false
        if (!isDeployed || (!isPage && path !== '/service-worker.js')) {
          answer.writeHead(inner.statusCode ?? 502, inner.headers)
          inner.pipe(answer)
          return
        }
        const pieces: Buffer[] = []
        for await (const piece of inner) pieces.push(piece as Buffer)
        const text = Buffer.concat(pieces).toString('utf8')
        const { 'content-length': _, etag: __, ...kept } = inner.headers
        answer.writeHead(inner.statusCode ?? 502, kept)
        answer.end(isPage ? secondVersion(text) : await secondWorker(text))
      }
      onwards.on('error', () => answer.destroy())
      incoming.pipe(onwards)
    })
    /** The worker lists the page by its content. */
    async function secondWorker(text: string): Promise<string> {
      const html = await (await fetch(`${server.origin}/index.html`)).text()
      expect(text, 'the worker checks the page').toContain(hashOf(html))
      const revised = text.replace(
        /"revision":"[0-9a-f]{32}","url":"index\.html"/,
        '"revision":"second","url":"index.html"',
      )
      expect(revised).not.toBe(text)
      return revised.replaceAll(hashOf(html), hashOf(secondVersion(html)))
    }
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
    await use({
      origin: `http://localhost:${(door.address() as AddressInfo).port}`,
      deploy: () => (isDeployed = true),
      remove: (name) => (removed = name),
    })
    door.closeAllConnections()
    door.close()
  },
})

const versionOf = (page: Page) =>
  page.evaluate(() => document.querySelector('meta[name="app-version"]')?.getAttribute('content') ?? '1')

test('a new version waits until it is accepted, then every tab changes to it and keeps what was typed', async ({
  device,
  deployment,
}) => {
  const { context, page } = await device({ baseURL: deployment.origin })
  await signIn(page, olivia)
  const form = await context.newPage()
  await form.goto('/events/create')
  await form.getByLabel('Event Name').fill('A party nobody has heard of')

  deployment.deploy()
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    await registration.update()
  })
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting?.state))
    .toBe('installed')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Events' }).click()
  await expect(page.getByText('A new version of Beaconry is ready. What you typed is kept.')).toBeVisible()
  expect([await versionOf(page), await versionOf(form)], 'nothing changes by itself').toEqual(['1', '1'])

  await form.getByLabel('Description').fill('It is a secret.')
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  await expect.poll(() => versionOf(page).catch(() => 'moving'), { timeout: 30_000 }).toBe('2')
  await expect.poll(() => versionOf(form).catch(() => 'moving'), { timeout: 30_000 }).toBe('2')
  await expect(form.getByLabel('Event Name')).toHaveValue('A party nobody has heard of')
  await expect(form.getByLabel('Description')).toHaveValue('It is a secret.')
  await expect(page.getByText('A new version of Beaconry is ready.')).toBeHidden()
})

test('a page whose pieces are gone from the server reloads once, then says what is the matter', async ({
  device,
  deployment,
}) => {
  const { page } = await device({ baseURL: deployment.origin, serviceWorkers: 'block' })
  let loads = 0
  page.on('request', (asked) => {
    if (asked.isNavigationRequest()) loads += 1
  })
  await page.goto('/')
  await page.getByRole('button', { name: 'Open menu' }).waitFor()
  deployment.remove(/\/assets\/(events|events-screen)-[^/]*\.js/)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Events' }).click()
  await expect.poll(() => loads, { timeout: 30_000 }).toBe(2)
  await expect(page.getByRole('heading', { name: 'This page is not on this device yet' })).toBeVisible({
    timeout: 30_000,
  })
  expect(loads).toBe(2)
})
