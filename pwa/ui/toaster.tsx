import { Suspense, useSyncExternalStore } from 'react'
import { FailureBoundary, loadable } from './failure-boundary.tsx'
import { currentToasts, watchToasts } from './toast.ts'

const loadStack = () => import('./toast-stack.tsx')

/** A failure is ignored: the first toast tries again. */
export function fetchToasts(): void {
  loadStack().catch(() => undefined)
}

const ToastStack = loadable(async () => (await loadStack()).ToastStack)

/** Once in the app; F8 moves the focus there, a swipe to the right closes. Its code loads later. */
export function Toaster() {
  const toasts = useSyncExternalStore(watchToasts, currentToasts)
  return toasts.length > 0 ? (
    <FailureBoundary of={toasts} renderInstead={() => null}>
      <Suspense fallback={null}>
        <ToastStack toasts={toasts} />
      </Suspense>
    </FailureBoundary>
  ) : null
}
