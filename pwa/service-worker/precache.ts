import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
  type PrecacheEntry,
} from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

/**
 * Serves the app's own files from this device, and the shell for every page a person opens. Calls to the server are never
 * answered from a cache. No navigation preload: the shell is here already.
 */
export function servePrecache(entries: readonly (PrecacheEntry | string)[]): void {
  precacheAndRoute([...entries], { cleanURLs: false, directoryIndex: '' })
  cleanupOutdatedCaches()
  registerRoute(
    new NavigationRoute(createHandlerBoundToURL('index.html'), {
      // What has an ending was meant as a file; checkout is the server's to choose: where cards are charged it is a document of its own.
      denylist: [/^\/api\//, /^\/checkout(?!-status)/, /^\/healthz/, /^\/readyz/, /\/[^/?]+\.\w+(\?|$)/],
    }),
  )
}
