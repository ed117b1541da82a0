import { useMemo, useSyncExternalStore } from 'react'
import { clockCorrection, serverNowMs } from '../api/server-time.ts'

const minuteMs = 60_000

/** The present by the server's clock, true to the minute: for texts that say how long ago something was. */
export function useMinute(): Date {
  const minute = useSyncExternalStore(
    (listener) => {
      const timer = setInterval(listener, minuteMs)
      const stopFollowing = clockCorrection.subscribe(listener)
      return () => {
        clearInterval(timer)
        stopFollowing()
      }
    },
    () => Math.floor(serverNowMs() / minuteMs),
  )
  return useMemo(() => new Date(minute * minuteMs), [minute])
}
