import type { PrecacheController } from 'workbox-precaching'

/** A page that dies in the middle of a rehearsal, or forgets it, has its network back by then. */
const maxCutMs = 5_000

/**
 * A page may ask for its network to be cut, how many files of the app are missing on this device, and for them to be
 * fetched. While it is cut,
 * requests of that page are answered with what is kept, or with a network error; other pages notice nothing. Calls do
 * not come by here in browsers with static routes.
 */
export function followRehearsals(worker: ServiceWorkerGlobalScope, files: PrecacheController): void {
  const cutUntilMs = new Map<string, number>()
  worker.addEventListener('message', (event) => {
    const { type } = (event.data ?? {}) as { type?: unknown }
    const page = (event.source as Client | null)?.id
    if (type === 'CUT_NETWORK' && page !== undefined) {
      cutUntilMs.set(page, performance.now() + maxCutMs)
      event.ports[0]?.postMessage(true)
    }
    if (type === 'RESTORE_NETWORK' && page !== undefined) cutUntilMs.delete(page)
    if (type === 'COUNT_MISSING')
      event.waitUntil(findMissing(files).then(({ length }) => event.ports[0]?.postMessage(length)))
    if (type === 'FETCH_MISSING') event.waitUntil(fetchMissing(files).then((left) => event.ports[0]?.postMessage(left)))
  })
  worker.addEventListener('fetch', (event) => {
    if (performance.now() > (cutUntilMs.get(event.clientId) ?? 0)) return
    event.stopImmediatePropagation()
    event.respondWith(files.matchPrecache(event.request).then((kept) => kept ?? Response.error()))
  })
}

async function findMissing(files: PrecacheController): Promise<string[]> {
  const cache = await caches.open(files.strategy.cacheName)
  const kept = new Set((await cache.keys()).map(({ url }) => url))
  return [...files.getURLsToCacheKeys().values()].filter((key) => !kept.has(key))
}

/** A browser that cleared single files does not install the worker again. Returns how many are still missing. */
async function fetchMissing(files: PrecacheController): Promise<number> {
  const cache = await caches.open(files.strategy.cacheName)
  // `add` rejects for a failed answer, and stores none.
  for (const key of await findMissing(files)) await cache.add(key).catch(() => undefined)
  return (await findMissing(files)).length
}
