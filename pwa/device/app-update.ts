import { registerSW } from 'virtual:pwa-register'
import { isTooOld, observable, replicaState, useObservable, singleFlight } from '../sync/index.ts'
import { sessionState } from './session/session-state.ts'

const waiting = observable<(() => void) | null>(null)
const reloadedFor = 'beaconry/reloaded-for'
const hourMs = 3_600_000
const second = 1000
const longestCopyMs = 30 * second
const looksAfterMs = [3, 5, 10, 20, 30, 60].map((seconds) => seconds * second)

/** Also reloads once when a piece of an older version is gone. Called once at start. */
export function followUpdates(): void {
  followController()
  addEventListener('vite:preloadError', ({ payload }) => void reloadIfGone(payload))
  if (navigator.serviceWorker?.controller) bringWorker()
  else addEventListener('load', () => setTimeout(bringFirstWorker, second), { once: true })
}

/** It fetches the whole app: a first page comes before, and the first copy of an account. */
function bringFirstWorker(): void {
  const isCopying = () => sessionState.get().state === 'loading' || replicaState.get().status === 'loading'
  const look = (isLate = false) => {
    if (isCopying() && !isLate) return
    for (const stop of stops) stop()
    bringWorker()
  }
  const patience = setTimeout(look, longestCopyMs, true)
  const stops = [sessionState.subscribe(look), replicaState.subscribe(look), () => clearTimeout(patience)]
  look()
}

function bringWorker(): void {
  register()
  void ensureController()
}

let isChecking = false

function register(): void {
  const apply = registerSW({
    onNeedRefresh: () =>
      waiting.set(
        () =>
          void keepDrafts().finally(() => {
            // The browser puts the new worker in charge once the old one rests.
            navigator.serviceWorker.controller?.postMessage({ type: 'MAKE_WAY' })
            void apply()
          }),
      ),
    // Called only in pages that had a worker when they were opened; see `followController`.
    onNeedReload: () => undefined,
    onRegisteredSW: (_url, registration) => {
      if (!registration || isChecking) return
      isChecking = true
      setInterval(lookForUpdate, hourMs)
      document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && lookForUpdate())
      isTooOld.subscribe(lookForUpdate)
    },
  })
}

/**
 * While a former registration is being removed, the browser drops a new one, or keeps the old one, whose worker never
 * takes charge of the pages.
 */
const ensureController = singleFlight(async (): Promise<void> => {
  const workers = navigator.serviceWorker
  if (!workers) return
  let wasAsked = false
  for (const afterMs of looksAfterMs) {
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    if (workers.controller) return
    const registration = await workers.getRegistration().catch(() => undefined)
    if (registration?.installing || (registration?.waiting && !registration.active)) continue
    if (registration?.active && !wasAsked && (await hasPrecache())) {
      wasAsked = true
      registration.active.postMessage({ type: 'TAKE_CHARGE' })
      continue
    }
    // The worker does not listen, or its files were deleted: the next one brings them along.
    wasAsked = false
    await registration?.unregister().catch(() => undefined)
    register()
  }
})

async function hasPrecache(): Promise<boolean> {
  const shell = await caches.match('/index.html', { ignoreSearch: true }).catch(() => undefined)
  return shell !== undefined
}

export function lookForUpdate(): void {
  void navigator.serviceWorker
    ?.getRegistration()
    .then((present) => present?.update())
    .catch(() => undefined)
}

/**
 * Once per version, and only when the server says that the piece is gone: it may be missing for another reason, and a
 * page that is being left drops its pieces too.
 */
async function reloadIfGone({ message }: Error): Promise<void> {
  const version = import.meta.url
  if (sessionStorage.getItem(reloadedFor) === version) return
  // Safari does not say which piece.
  const [piece] = /https?:\/\/\S+\.(js|css)/.exec(message) ?? []
  const answer = await fetch(piece ?? '/', { method: 'HEAD', cache: 'no-store' }).catch(() => null)
  if (!(piece ? answer?.status === 404 : answer?.ok)) return
  sessionStorage.setItem(reloadedFor, version)
  location.reload()
}

/**
 * Every open tab changes to a new version together; a device's first worker brings none. Where the storage was emptied
 * the worker went with it, and is registered again.
 */
function followController(): void {
  const workers = navigator.serviceWorker
  if (!workers) return
  let hadWorker = workers.controller !== null
  workers.addEventListener('controllerchange', () => {
    if (workers.controller === null) bringWorker()
    else if (hadWorker) void keepDrafts().finally(() => location.reload())
    hadWorker = workers.controller !== null
  })
}

/** Without the module there is no draft. */
async function keepDrafts(): Promise<void> {
  const { flushDrafts } = await import('./drafts.ts')
  await flushDrafts()
}

export function useAppUpdate(): { readonly ready: boolean; readonly apply: () => void } {
  const apply = useObservable(waiting)
  return { ready: apply !== null, apply: apply ?? (() => undefined) }
}
