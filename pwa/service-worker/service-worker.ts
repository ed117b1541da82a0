import { cleanupOutdatedCaches, PrecacheController, PrecacheRoute, type PrecacheEntry } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { outboxTag } from '../sync/drain/background-sync.ts'
import type { WakeReason } from '../sync/drain/wake.ts'
import { checkout, outsideTheApp } from './app-window.ts'
import { installFiles } from './install-files.ts'
import { followPush } from './push.ts'
import { followRehearsals } from './rehearsal.ts'
import { replayer } from './worker-outbox.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: (PrecacheEntry | string)[] }

servePrecache(self.__WB_MANIFEST)
followBackgroundSync(self)
followPush(self)

self.addEventListener('message', (event) => {
  const { type } = (event.data ?? {}) as { type?: unknown }
  // Only after a person accepted the update: it reloads every page.
  if (type === 'SKIP_WAITING') event.waitUntil(self.skipWaiting())
  // For the replaced worker: pages send again what it was sending, under the same keys.
  if (type === 'MAKE_WAY') makeWay()
})

// A call would start this worker only to be passed on, and keep a replaced one from resting, after which the browser
// changes them. Browsers without static routes start it all the same.
self.addEventListener('install', (event) => {
  const { addRoutes } = event as InstallEvent
  void addRoutes?.call(event, { condition: { urlPattern: '/api/*' }, source: 'network' })
})

// The very first visit can then be reopened offline.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

/** No navigation preload: the shell is here already. */
function servePrecache(entries: readonly (PrecacheEntry | string)[]): void {
  const files = new PrecacheController()
  files.addToCacheList([...entries])
  self.addEventListener('install', (event) => event.waitUntil(installFiles(files, event)))
  self.addEventListener('activate', (event) => event.waitUntil(files.activate(event)))
  cleanupOutdatedCaches()
  // Before the routes: the first listener that answers a request is the only one.
  followRehearsals(self, files)
  registerRoute(new PrecacheRoute(files, { cleanURLs: false, directoryIndex: '' }))
  const shell = files.createHandlerBoundToURL('index.html')
  registerRoute(new NavigationRoute(shell, { denylist: outsideTheApp }))
  // Without a network the app replaces the checkout, and says what is missing.
  registerRoute(
    new NavigationRoute(async (options) => await fetch(options.request).catch(async () => await shell(options)), {
      allowlist: checkout,
    }),
  )
}

/** TypeScript's library does not know static routes. */
interface InstallEvent extends ExtendableEvent {
  addRoutes?(route: { condition: { urlPattern: string }; source: 'network' }): Promise<void>
}

/** TypeScript's library does not know Background Sync. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string
  readonly lastChance: boolean
}

/** This also runs without a page, and when a new worker starts. */
function followBackgroundSync(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener('sync' as 'activate', (event) => {
    const { tag } = event as SyncEvent
    if (tag === outboxTag) event.waitUntil(drain())
  })
  // The browser answers no page until an activation has ended, so it does not wait for what is being sent.
  worker.addEventListener('activate', () => void replayer.wake('activate').catch(() => undefined))
}

/** The patience is longer than a decision's undo window, and about as long as a worker lives. */
const patienceMs = 20_000
const lookMs = 1_000

const replaced = new AbortController()

function makeWay(): void {
  replayer.stop()
  replaced.abort()
}

/** Rejects while something could not be sent, so that the browser asks again. */
async function drain(): Promise<void> {
  const until = Date.now() + patienceMs
  for (let reason: WakeReason = 'sync'; ; reason = 'timer') {
    const { end, waitingMs } = await replayer.wake(reason)
    // The browser asks the newer worker then.
    replaced.signal.throwIfAborted()
    const goesOn = end === 'drained' || end === 'not-leading'
    if (goesOn && waitingMs === undefined) return
    // A page that leads drains now; this looks whether it did.
    const pauseMs = Math.max(waitingMs ?? 0, end === 'not-leading' ? lookMs : 0)
    if (!goesOn || Date.now() + pauseMs > until) throw new Error('The queue is not empty yet')
    await new Promise<unknown>((resolve) => {
      setTimeout(resolve, pauseMs)
      replaced.signal.addEventListener('abort', resolve)
    })
  }
}
