import { useSyncExternalStore } from 'react'

function watch(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}

/** Whether the device says that it has no network at all; that it says nothing does not mean that there is one. */
export function useNoNetwork(): boolean {
  return useSyncExternalStore(watch, () => !navigator.onLine)
}
