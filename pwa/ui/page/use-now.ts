import { useSyncExternalStore } from 'react'
import { clockCorrection, serverNow, serverNowMs } from '../../sync/index.ts'

const minuteMs = 60_000
let now = serverNow()
const watchers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let stopFollowing: (() => void) | undefined

function tick(): void {
  now = serverNow()
  for (const watcher of Array.from(watchers)) watcher()
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  timer ??= setInterval(tick, minuteMs)
  stopFollowing ??= clockCorrection.subscribe(tick)
  // Timers pause in the background, and run only while the time is shown.
  document.addEventListener('visibilitychange', tick)
  if (Math.abs(serverNowMs() - now.getTime()) > minuteMs) queueMicrotask(tick)
  return () => {
    watchers.delete(watcher)
    if (watchers.size > 0) return
    clearInterval(timer)
    timer = undefined
    stopFollowing?.()
    stopFollowing = undefined
    document.removeEventListener('visibilitychange', tick)
  }
}

/** To the minute, by the server's clock, so that a closed application does not look open. */
export function useNow(): Date {
  return useSyncExternalStore(watch, () => now)
}
