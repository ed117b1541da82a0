import type { PrecacheController } from 'workbox-precaching'
import { expect, it } from 'vitest'
import { installFiles } from './install-files.ts'

/** A list of files whose `fetch` stands for Workbox's strategy, which fetches and keeps one. */
function filesOf(keys: readonly [url: string, cacheKey: string][], fetch: (request: Request) => Promise<void>) {
  const handleAll = ({ request }: { request: Request }) => {
    const done = fetch(request)
    return [done, done]
  }
  return {
    getURLsToCacheKeys: () => new Map(keys),
    getIntegrityForCacheKey: (key: string) => (key.includes('.js') ? 'sha256-abc=' : undefined),
    strategy: { handleAll },
  } as unknown as PrecacheController
}

const event = {} as Parameters<typeof installFiles>[1]
const origin = 'https://beaconry.example'
const named = (name: string): [string, string] => [`${origin}/assets/${name}.js`, `${origin}/assets/${name}.js`]

it('keeps every file, four at a time, each by its hash, and what has none in its name fresh', async () => {
  let open = 0
  let max = 0
  const asked: string[] = []
  const files = filesOf(
    [...Array.from('abcdefghij', named), [`${origin}/index.html`, `${origin}/index.html?__WB_REVISION__=1`]],
    async (request) => {
      max = Math.max(max, (open += 1))
      asked.push(`${new URL(request.url).pathname} ${request.cache} ${request.integrity}`)
      await new Promise((resolve) => setTimeout(resolve))
      open -= 1
    },
  )
  await installFiles(files, event)
  expect(max).toBe(4)
  expect(asked.toSorted()).toEqual([
    ...Array.from('abcdefghij', (name) => `/assets/${name}.js default sha256-abc=`),
    '/index.html reload ',
  ])
})

it('fails with the file that does not arrive', async () => {
  const files = filesOf(Array.from('abcdefgh', named), async (request) => {
    if (request.url.endsWith('/f.js')) throw new Error('a portal’s page')
  })
  await expect(installFiles(files, event)).rejects.toThrow('a portal’s page')
})
