import { cleanupOutdatedCaches, PrecacheController, PrecacheRoute, type PrecacheEntry } from 'workbox-precaching'
import { NavigationRoute, registerRoute, Route } from 'workbox-routing'
import { outboxTag } from '../sync/drain/background-sync.ts'
import { installFiles } from './install-files.ts'
import { orNetwork } from './or-network.ts'
import { followPush } from './push.ts'
import { replayer } from './worker-outbox.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] }

/**
 * Where cards are charged, the server shows the checkout document, in which the payment provider's script may run.
 * Never cached.
 */
const checkout = [/^\/checkout(-status)?\/?(\?|$)/]

servePrecache(self.__WB_MANIFEST)
followBackgroundSync(self)
followPush(self)

self.addEventListener('message', (event) => {
  const { type } = (event.data ?? {}) as { type?: unknown }
  // Only after a person accepted the update: it reloads every page.
  if (type === 'SKIP_WAITING') event.waitUntil(self.skipWaiting())
  // For the replaced worker: pages send again what it was sending, under the same keys.
  if (type === 'MAKE_WAY') makeWay()
  // From a page that no worker controls; see pwa/device/app-update.ts.
  if (type === 'TAKE_CHARGE') event.waitUntil(self.clients.claim())
  if (type === 'COUNT_PAGES') event.waitUntil(countPages(event.ports[0]))
})

async function countPages(asker: MessagePort | undefined): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  asker?.postMessage(pages.length)
}

// A call would start this worker only to be passed on, and keep a replaced one from resting, after which the browser
// changes them. Browsers without static routes start it all the same.
self.addEventListener('install', (event) => {
  const { addRoutes } = event as InstallEvent
  void addRoutes?.call(event, { condition: { urlPattern: '/api/*' }, source: 'network' })
})

// So that the very first visit can be reopened offline.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

/** No navigation preload: the shell is here already. */
function servePrecache(entries: readonly (PrecacheEntry | string)[]): void {
  const files = new PrecacheController()
  files.addToCacheList([...entries])
  self.addEventListener('install', (event) => event.waitUntil(installFiles(files, event)))
  self.addEventListener('activate', (event) => event.waitUntil(files.activate(event)))
  cleanupOutdatedCaches()
  const { match, handler } = new PrecacheRoute(files, { cleanURLs: false, directoryIndex: '' })
  registerRoute(
    new Route(
      match,
      orNetwork((options) => handler.handle(options)),
    ),
  )
  const shell = orNetwork(files.createHandlerBoundToURL('index.html'))
  registerRoute(
    new NavigationRoute(shell, {
      // A path with an ending means a file.
      denylist: [/^\/api\//, ...checkout, /^\/unsubscribe\//, /^\/healthz/, /^\/readyz/, /\/[^/?]+\.\w+(\?|$)/],
    }),
  )
  // Without a network the app replaces the checkout, and says what is missing.
  registerRoute(
    new NavigationRoute(async (options) => await fetch(options.request).catch(async () => await shell(options)), {
      allowlist: checkout,
    }),
  )
}

/** Static routes, which TypeScript's library does not know. */
interface InstallEvent extends ExtendableEvent {
  addRoutes?(route: { condition: { urlPattern: string }; source: 'network' }): Promise<void>
}

/** Background Sync, which TypeScript's library does not know. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string
  readonly lastChance: boolean
}

/** Also without a page, and when a new worker starts. */
function followBackgroundSync(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener('sync' as 'activate', (event) => {
    const { tag } = event as SyncEvent
    if (tag === outboxTag) event.waitUntil(drain())
  })
  worker.addEventListener('activate', (event) => event.waitUntil(replayer.wake('activate').catch(() => undefined)))
}

/** Longer than a decision's undo window, and about as long as a worker lives. */
const patienceMs = 20_000

const replaced = new AbortController()

function makeWay(): void {
  replayer.stop()
  replaced.abort()
}

/** Rejects while something could not be sent, so that the browser asks again. */
async function drain(): Promise<void> {
  const until = Date.now() + patienceMs
  for (;;) {
    const { end, waitingMs } = await replayer.wake('sync')
    // The browser asks the newer worker then.
    replaced.signal.throwIfAborted()
    // Without a queue there is no lease to hold either.
    if ((end === 'drained' || end === 'lost-lock') && waitingMs === undefined) return
    if (end !== 'drained' || waitingMs === undefined || Date.now() + waitingMs > until)
      throw new Error('The queue is not empty yet')
    await new Promise<unknown>((resolve) => {
      setTimeout(resolve, waitingMs)
      replaced.signal.addEventListener('abort', resolve)
    })
  }
}
