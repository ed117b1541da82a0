import { timings } from '../../browser/timings.ts'
import type { Timers } from './wake.ts'

const second = 1000
/** The limit is shorter when a new network is likely. */
const impatientSilenceMs = 3 * second
const lookEveryMs = 2 * second

export type RequestWatch = ReturnType<typeof createRequestWatch>

export function createRequestWatch(timers: Timers, now: () => number) {
  let inFlight: { controller: AbortController; movedAt: number; uploadMs: number; cancel: () => void } | undefined

  function watch(milliseconds: number): void {
    const flight = inFlight
    if (!flight) return
    flight.cancel()
    flight.cancel = timers.after(milliseconds, () => flight.controller.abort())
  }

  return {
    /**
     * @param uploadMs a slow line may need so long before anything can come back: no browser tells how much has left
     * @param mayGoOn is asked every two seconds; false ends the request
     */
    async run<T>(
      request: (signal: AbortSignal, onProgress: () => void) => Promise<T>,
      {
        uploadMs = 0,
        mayGoOn,
      }: { readonly uploadMs?: number; readonly mayGoOn?: (() => Promise<boolean>) | undefined } = {},
    ): Promise<T> {
      const flight = {
        controller: new AbortController(),
        movedAt: now(),
        uploadMs,
        cancel: () => {},
      }
      inFlight = flight
      watch(timings.requestSilenceMs + flight.uploadMs)
      let stopLooking = () => {}
      const look = () => {
        stopLooking = timers.after(lookEveryMs, () => {
          void mayGoOn?.().then((goesOn) => (goesOn ? inFlight === flight && look() : flight.controller.abort()))
        })
      }
      if (mayGoOn) look()
      try {
        return await request(flight.controller.signal, () => {
          flight.movedAt = now()
          flight.uploadMs = 0
          watch(timings.requestSilenceMs)
        })
      } finally {
        stopLooking()
        flight.cancel()
        if (inFlight === flight) inFlight = undefined
      }
    },
    /** A silent request is most likely dead, and for certain where the device has another network. */
    shortenTimeout(hasNewNetwork = false) {
      if (!inFlight) return
      const silent = now() - inFlight.movedAt
      const patience = impatientSilenceMs + (hasNewNetwork ? 0 : inFlight.uploadMs)
      if (silent >= patience || silent < 0) inFlight.controller.abort()
      else watch(patience - silent)
    },
    abort: () => inFlight?.controller.abort(),
  }
}
