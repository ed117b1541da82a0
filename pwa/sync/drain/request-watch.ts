import type { Timers } from './wake.ts'

const second = 1000
/** A request in which nothing moves for so long is given up. */
const silenceMs = 20 * second
/** The limit is shorter when a new network is likely. */
const impatientSilenceMs = 3 * second

export type RequestWatch = ReturnType<typeof createRequestWatch>

export function createRequestWatch(timers: Timers, now: () => number) {
  let inFlight: { controller: AbortController; movedAt: number; cancel: () => void } | undefined

  function watch(milliseconds: number): void {
    const flight = inFlight
    if (!flight) return
    flight.cancel()
    flight.cancel = timers.after(milliseconds, () => flight.controller.abort())
  }

  return {
    async run<T>(request: (signal: AbortSignal, onProgress: () => void) => Promise<T>): Promise<T> {
      const flight = { controller: new AbortController(), movedAt: now(), cancel: () => {} }
      inFlight = flight
      watch(silenceMs)
      try {
        return await request(flight.controller.signal, () => {
          flight.movedAt = now()
          watch(silenceMs)
        })
      } finally {
        flight.cancel()
        if (inFlight === flight) inFlight = undefined
      }
    },
    /** A silent request is most likely dead. */
    shortenTimeout() {
      if (!inFlight) return
      const silent = now() - inFlight.movedAt
      if (silent >= impatientSilenceMs || silent < 0) inFlight.controller.abort()
      else watch(impatientSilenceMs - silent)
    },
    abort: () => inFlight?.controller.abort(),
  }
}
