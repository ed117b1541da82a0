import { useSyncExternalStore } from 'react'
import { clockCorrection, serverNow } from '../../sync/index.ts'

/** A hook with one timer for all its users; by the server's clock, so that a closed application does not look open. */
function clock(stepMs: number) {
  let now = serverNow()
  const watchers = new Set<() => void>()
  let stop: (() => void) | undefined
  const tick = () => {
    now = serverNow()
    for (const watcher of Array.from(watchers)) watcher()
  }
  const start = () => {
    const timer = setInterval(tick, stepMs)
    const stopFollowing = clockCorrection.subscribe(tick)
    // Timers pause in the background, and run only while the time is shown.
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      stopFollowing()
      document.removeEventListener('visibilitychange', tick)
    }
  }
  const watch = (watcher: () => void) => {
    watchers.add(watcher)
    stop ??= start()
    return () => {
      watchers.delete(watcher)
      if (watchers.size > 0) return
      stop?.()
      stop = undefined
    }
  }
  const read = () => {
    if (watchers.size === 0 && Math.abs(serverNow().getTime() - now.getTime()) > stepMs) now = serverNow()
    return now
  }
  return function useClock(): Date {
    return useSyncExternalStore(watch, read, read)
  }
}

/** The time is right to the minute. */
export const useNow = clock(60_000)
export const useSeconds = clock(1000)
