import { createHash } from 'node:crypto'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright/test'
import { startRoadProxy } from '../../../sync-server/testing/road-proxy.ts'
import { expect } from '../journey.ts'
import { test as base } from './road-journey.ts'

const hashOf = (text: string | Buffer) => createHash('sha256').update(text).digest('base64')
const secondVersion = (html: string) => html.replace('</head>', '<meta name="app-version" content="2"></head>')

export interface Deployment {
  readonly origin: string
  /** From now on the server has another version of the app: a changed page, and the worker that lists it. */
  deploy(): void
  /** From now on these files are gone. */
  remove(name: RegExp): void
}

/** The built server behind a door that can give out another version of the app than the one that was built. */
export const test = base.extend<{ deployment: Deployment }>({
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
  // What is counted passes the door too.
  road: async ({ deployment }, use) => {
    const road = await startRoadProxy(deployment.origin)
    await use(road)
    await road.close()
  },
})

/** Which of the two versions a page is. */
export const versionOf = (page: Page) =>
  page.evaluate(() => document.querySelector('meta[name="app-version"]')?.getAttribute('content') ?? '1')

/** Has the browser fetch the version that was deployed; it waits then until somebody accepts it. */
export async function fetchUpdate(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    await registration.update()
  })
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting?.state))
    .toBe('installed')
}
