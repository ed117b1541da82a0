import type { Page } from 'playwright/test'
import { startRoadProxy, type PassingCall, type RoadProxy } from '../../../sync-server/testing/proxies/road-proxy.ts'
import { fullSize } from '../../../sync-server/testing/proof-size.ts'
import { expect, olivia, signIn, test as base } from '../journey.ts'

/** A journey whose every call under /api passes a road that counts and treats them. */
export const test = base.extend<{ road: RoadProxy; phone: Page }>({
  road: async ({ server }, use) => {
    const road = await startRoadProxy(server.origin)
    await use(road)
    await road.close()
  },
  phone: async ({ device, road }, use) => {
    const { page } = await device({ baseURL: road.origin })
    await signIn(page, olivia)
    await use(page)
    await page.close()
  },
})

export const isStream = ({ url }: PassingCall) => url.startsWith('/api/sync/stream')
export const isPull = ({ url }: PassingCall) => url.startsWith('/api/sync/pull')
export const isBatch = ({ url }: PassingCall) => url.startsWith('/api/sync/mutations')

/** What was asked since a moment. */
export function since(road: RoadProxy, at: number, which: (call: PassingCall) => boolean = () => true) {
  return road.calls.filter((call) => call.at > at && which(call))
}

/** Writes a number of calls into the report of the run; in the full size, whose machine does nothing else, holds it to its budget. */
export function report(what: string, calls: number, bound: number): void {
  test.info().annotations.push({ type: 'calls', description: `${what}: ${calls} (at most ${bound})` })
  if (fullSize) expect(calls, what).toBeLessThanOrEqual(bound)
}
