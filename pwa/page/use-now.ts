import { useSyncExternalStore } from 'react'
import { clockCorrection, serverNow, serverNowMs } from '../api/server-time.ts'

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
  // The page may have stood still in the background, or nobody has looked at the clock for a while.
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

/**
 * The time to the minute, by the server's clock; paints again when it moves on, so that a closed application does not look
 * open.
 */
export function useNow(): Date {
  return useSyncExternalStore(watch, () => now)
}
