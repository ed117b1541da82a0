import { useEffect, useEffectEvent } from 'react'
import { reachability } from '../sync/index.ts'

/** Calls `onReconnected` when the network or our server comes back, as long as `isWaiting`. */
export function useReconnected(isWaiting: boolean, onReconnected: () => void): void {
  const notify = useEffectEvent(onReconnected)
  useEffect(() => {
    if (!isWaiting) return
    const onOnline = () => notify()
    addEventListener('online', onOnline)
    const unsubscribe = reachability.subscribe(() => {
      if (reachability.get() === 'reachable') notify()
    })
    return () => {
      removeEventListener('online', onOnline)
      unsubscribe()
    }
  }, [isWaiting])
}
