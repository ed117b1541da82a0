import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const bytes = readFileSync(new URL('../../../shared/places/zip-codes.bin', import.meta.url))

/** The browser's cache, which the tests' machine has not. */
function createCaches() {
  const kept = new Map<string, Response>()
  return {
    kept,
    open: async () => ({
      match: async (url: string) => kept.get(url)?.clone(),
      keys: async () => [...kept.keys()],
      delete: async (url: string) => kept.delete(url),
      put: async (url: string, answer: Response) => void kept.set(url, answer),
    }),
  }
}

let device: ReturnType<typeof createCaches>
let asked = 0

/** A page that was just opened: it has nothing in memory. */
async function openPage(answer: () => Response) {
  vi.resetModules()
  vi.stubGlobal('fetch', async () => {
    asked += 1
    return answer()
  })
  const { zipTable, fetchZipTable } = await import('./zip-codes.ts')
  return { fetchZipTable, read: () => zipTable.ask().then(zipTable.known.get) }
}
const whole = () => new Response(new Uint8Array(bytes))
const portal = () => new Response('<!doctype html><title>Sign in to the wifi</title>')
const noNetwork = (): Response => {
  throw new TypeError('Failed to fetch')
}

beforeEach(() => {
  device = createCaches()
  asked = 0
  vi.stubGlobal('caches', device)
})
afterEach(() => vi.unstubAllGlobals())

describe('the ZIP code table on a device', () => {
  it('is fetched once, when a search begins, and opens without a network from then on', async () => {
    const first = await openPage(whole)
    first.fetchZipTable()
    await Promise.all([first.read(), first.read()])
    first.fetchZipTable()
    expect(asked).toBe(1)
    const later = await openPage(noNetwork)
    later.fetchZipTable()
    expect((await later.read()).answer?.centreOf('02108')).toEqual({ latitude: 42.36, longitude: -71.07 })
    expect(asked).toBe(1)
  })

  it("does not keep a portal's page, and asks again when somebody needs it", async () => {
    const answers = [portal, whole]
    const page = await openPage(() => (answers.shift() ?? noNetwork)())
    expect((await page.read()).failure?.reason).toContain('not the ZIP code table')
    expect(device.kept.size).toBe(0)
    expect((await page.read()).answer?.count).toBeGreaterThan(41_000)
    expect(device.kept.size).toBe(1)
  })

  it('takes the place of an older one, and of one that was damaged', async () => {
    device.kept.set('/assets/zip-codes-of-old.bin', whole())
    await (await openPage(whole)).read()
    const [url = ''] = device.kept.keys()
    expect([...device.kept.keys()]).toEqual([expect.not.stringContaining('of-old')])
    device.kept.set(url, new Response(new Uint8Array(bytes.subarray(0, 50_000))))
    expect((await (await openPage(whole)).read()).answer?.centreOf('10118')).toBeDefined()
  })
})
