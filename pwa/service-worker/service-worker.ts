import type { PrecacheEntry } from 'workbox-precaching'
import { followBackgroundSync } from './background-sync.ts'
import { servePrecache } from './precache.ts'
import { followPush } from './push.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] }

servePrecache(self.__WB_MANIFEST)
followBackgroundSync(self)
followPush(self)

self.addEventListener('message', (event) => {
  const { type } = (event.data ?? {}) as { type?: unknown }
  // Only when a person accepted the update: it reloads every open page.
  if (type === 'SKIP_WAITING') event.waitUntil(self.skipWaiting())
  // Of a page that was opened while it was not there to be served; see pwa/device/worker-in-charge.ts.
  if (type === 'TAKE_CHARGE') event.waitUntil(self.clients.claim())
  if (type === 'COUNT_PAGES') event.waitUntil(countPages(event.ports[0]))
})
/** Every page of this address, whether this worker serves it or not. */
async function countPages(asker: MessagePort | undefined): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  asker?.postMessage(pages.length)
}

// The first worker takes charge of the page that brought it, so that the very first visit can be reopened offline.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
