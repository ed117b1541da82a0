import type { Timers } from './replay.ts'

const second = 1000
/** A request in which nothing moves for this long is given up. */
const silenceMs = 20 * second
/** … and for this long, when there is reason to believe in a new network. */
const impatientSilenceMs = 3 * second

export type RequestWatch = ReturnType<typeof createRequestWatch>

/** Aborts a request in which nothing moves; watches one at a time. */
export function createRequestWatch(timers: Timers, now: () => number) {
  let inFlight: { controller: AbortController; movedAt: number; cancel: () => void } | undefined

  function watch(milliseconds: number): void {
    const flight = inFlight
    if (!flight) return
    flight.cancel()
    flight.cancel = timers.after(milliseconds, () => flight.controller.abort())
  }

  return {
    /** Runs a request under the watch. */
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
    /** There may be a new network: a request that has been silent is most likely dead, and is aborted sooner. */
    shortenTimeout() {
      if (!inFlight) return
      const silent = now() - inFlight.movedAt
      if (silent >= impatientSilenceMs || silent < 0) inFlight.controller.abort()
      else watch(impatientSilenceMs - silent)
    },
    abort: () => inFlight?.controller.abort(),
  }
}
