import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
  type PrecacheEntry,
} from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'

/**
 * Where cards are charged the checkout is the server's to show: a document of its own, in which the payment provider's script
 * may run. What it answers is never kept.
 */
const checkout = [/^\/checkout(-status)?\/?(\?|$)/]

/**
 * Serves the app's own files from this device, and the shell for every page a person opens. Calls to the server are never
 * answered from a cache. No navigation preload: the shell is here already.
 */
export function servePrecache(entries: readonly (PrecacheEntry | string)[]): void {
  precacheAndRoute([...entries], { cleanURLs: false, directoryIndex: '' })
  cleanupOutdatedCaches()
  const shell = createHandlerBoundToURL('index.html')
  registerRoute(
    new NavigationRoute(shell, {
      // What has an ending was meant as a file.
      denylist: [/^\/api\//, ...checkout, /^\/unsubscribe\//, /^\/healthz/, /^\/readyz/, /\/[^/?]+\.\w+(\?|$)/],
    }),
  )
  // Without a network the app takes its place, and says what is missing.
  registerRoute(
    new NavigationRoute(async (options) => await fetch(options.request).catch(async () => await shell(options)), {
      allowlist: checkout,
    }),
  )
}
