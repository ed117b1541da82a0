import { useMemo, useSyncExternalStore } from 'react'

const minuteMs = 60_000

/** The present, true to the minute: for texts that say how long ago something was. */
export function useMinute(): Date {
  const minute = useSyncExternalStore(
    (listener) => {
      const timer = setInterval(listener, minuteMs)
      return () => clearInterval(timer)
    },
    () => Math.floor(Date.now() / minuteMs),
  )
  return useMemo(() => new Date(minute * minuteMs), [minute])
}
