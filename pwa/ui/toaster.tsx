import { lazy, Suspense, useSyncExternalStore } from 'react'
import { currentToasts, watchToasts } from './toast.ts'

const loadStack = () => import('./toast-stack.tsx')

/** Fetches what the first toast will need. A failure is no news: the first toast asks again. */
export function fetchToasts(): void {
  loadStack().catch(() => undefined)
}

const ToastStack = lazy(async () => ({ default: (await loadStack()).ToastStack }))

/**
 * Draws what `toast()` asks for. Stands once in the app; F8 moves the focus there, a swipe to the right closes.
 * What it needs is fetched with the first toast, or ahead of it by `fetchToasts`, so the first route stays light.
 */
export function Toaster() {
  const toasts = useSyncExternalStore(watchToasts, currentToasts)
  return toasts.length > 0 ? (
    <Suspense fallback={null}>
      <ToastStack toasts={toasts} />
    </Suspense>
  ) : null
}
