import { useSyncExternalStore } from 'react'

const minuteMs = 60_000
let now = new Date()
const watchers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function tick(): void {
  now = new Date()
  for (const watcher of Array.from(watchers)) watcher()
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  timer ??= setInterval(tick, minuteMs)
  // The page may have stood still in the background, or nobody has looked at the clock for a while.
  document.addEventListener('visibilitychange', tick)
  if (Date.now() - now.getTime() > minuteMs) queueMicrotask(tick)
  return () => {
    watchers.delete(watcher)
    if (watchers.size > 0) return
    clearInterval(timer)
    timer = undefined
    document.removeEventListener('visibilitychange', tick)
  }
}

/** The time to the minute; paints again when it moves on, so that a closed application does not look open. */
export function useNow(): Date {
  return useSyncExternalStore(watch, () => now)
}
