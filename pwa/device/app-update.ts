import { registerSW } from 'virtual:pwa-register'
import { isTooOld, replicaState } from '../sync/index.ts'
import { readText, writeText } from '../browser/browser-storage.ts'
import { observable, useObservable } from '../browser/observable.ts'
import { sessionState } from './session/session-state.ts'

const waiting = observable<(() => void) | null>(null)
const reloadedFor = 'beaconry/reloaded-for'
const hourMs = 3_600_000
const second = 1000
const longestCopyMs = 30 * second

/** Also reloads once when a piece of an older version is gone. The start calls it once. */
export function followUpdates(): void {
  followController()
  addEventListener('vite:preloadError', ({ payload }) => void reloadIfGone(payload))
  if (navigator.serviceWorker?.controller) bringWorker()
  else addEventListener('load', () => setTimeout(bringFirstWorker, second), { once: true })
}

/** It fetches the whole app: a first page comes before, and the first copy of an account. */
function bringFirstWorker(): void {
  const isCopying = () => {
    const { state, user } = sessionState.get()
    return state === 'loading' || (user !== null && replicaState.get().status !== 'ready')
  }
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
      if (!registration) return
      setInterval(lookForUpdate, hourMs)
      document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && lookForUpdate())
      isTooOld.subscribe(lookForUpdate)
    },
  })
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
  if (readText(reloadedFor, 'sessionStorage') === version) return
  // Safari does not say which piece.
  const [piece] = /https?:\/\/\S+\.(js|css)/.exec(message) ?? []
  const answer = await fetch(piece ?? '/', { method: 'HEAD', cache: 'no-store' }).catch(() => null)
  if (!(piece ? answer?.status === 404 : answer?.ok)) return
  writeText(reloadedFor, version, 'sessionStorage')
  // Without storage nothing would end the reloads.
  if (readText(reloadedFor, 'sessionStorage') !== version) return
  location.reload()
}

/** Every open tab changes to a new version together; a device's first worker brings none. */
function followController(): void {
  const workers = navigator.serviceWorker
  if (!workers) return
  let hadWorker = workers.controller !== null
  workers.addEventListener('controllerchange', () => {
    if (hadWorker && workers.controller !== null) void keepDrafts().finally(() => location.reload())
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
