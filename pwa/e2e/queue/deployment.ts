import { createHash } from 'node:crypto'
import type { Page } from 'playwright/test'
import { startRoadProxy } from '../../../sync-server/testing/proxies/road-proxy.ts'
import { expect } from '../journey.ts'
import { test as base } from './road-journey.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64')
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
    const door = await startRoadProxy(server.origin)
    await use({
      origin: door.origin,
      deploy: () =>
        door.treat(({ url }) => {
          if (url === '/service-worker.js') return { rewrite: secondWorker }
          return /^\/(?!api\/)([^.]*|index\.html)$/.test(url) ? { rewrite: secondVersion } : 'pass'
        }),
      remove: (name) => door.treat(({ url }) => (name.test(url) ? { status: 404, body: '' } : 'pass')),
    })
    await door.close()
  },
  // What is counted passes the door too.
  road: async ({ deployment }, use) => {
    const road = await startRoadProxy(deployment.origin)
    await use(road)
    await road.close()
  },
})

/** Which of the two versions a page is, asked in the page. */
export const readVersion = () => document.querySelector('meta[name="app-version"]')?.getAttribute('content') ?? '1'

export const versionOf = (page: Page) => page.evaluate(readVersion)

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
