import type { PrecacheController } from 'workbox-precaching'

/** Two of HTTP/1.1's six connections are the page's. */
const atOnce = 4

/**
 * Workbox's own fetches one file after the other, so that each costs a round trip. What is kept already is not fetched.
 * @throws when a file does not arrive whole; the browser tries again at the next visit
 */
export async function installFiles(files: PrecacheController, event: ExtendableEvent): Promise<void> {
  const waiting = [...files.getURLsToCacheKeys()]
  const fetchNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [url, cacheKey] = next
      const request = new Request(url, {
        integrity: files.getIntegrityForCacheKey(cacheKey) ?? '',
        // Without a hash in its name it may be cached as it was.
        cache: cacheKey === url ? 'default' : 'reload',
        credentials: 'same-origin',
        priority: 'low',
      })
      await Promise.all(files.strategy.handleAll({ params: { cacheKey }, request, event }))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, fetchNext))
}
