import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { currentToasts, watchToasts } from './toast.ts'

const loadStack = () => import('./toast-stack.tsx')
const ToastStack = lazy(async () => ({ default: (await loadStack()).ToastStack }))

/**
 * Draws what `toast()` asks for. Stands once in the app; F8 moves the focus there, a swipe to the right closes.
 * What it needs is fetched after the first paint, so the first route stays light.
 */
export function Toaster() {
  const toasts = useSyncExternalStore(watchToasts, currentToasts)
  useEffect(() => {
    // A failure here is no news: the first toast asks again, and its failure is handled like any missing chunk.
    loadStack().catch(() => undefined)
  }, [])
  return toasts.length > 0 ? (
    <Suspense fallback={null}>
      <ToastStack toasts={toasts} />
    </Suspense>
  ) : null
}
