import type { Timers } from './replay.ts'

/** Gives up a request in which nothing moves. */
export interface RequestWatch {
  /** Runs a request under the watch. */
  run<T>(request: (signal: AbortSignal, onProgress: () => void) => Promise<T>): Promise<T>
  /** There is reason to believe in a new network: one that has been silent is most likely dead and is given up sooner. */
  hurry(): void
  /** Gives up the request on its way, if there is one. */
  abort(): void
}

const second = 1000
/** A request in which nothing moves for this long is given up. */
const silenceMs = 20 * second
/** … and for this long, when there is reason to believe in a new network. */
const impatientSilenceMs = 3 * second

/** Watches one request at a time. */
export function createRequestWatch(timers: Timers, now: () => number): RequestWatch {
  let inFlight: { controller: AbortController; movedAt: number; callOff: () => void } | undefined

  function watch(milliseconds: number): void {
    const flight = inFlight
    if (!flight) return
    flight.callOff()
    flight.callOff = timers.after(milliseconds, () => flight.controller.abort())
  }

  return {
    async run(request) {
      const flight = { controller: new AbortController(), movedAt: now(), callOff: () => {} }
      inFlight = flight
      watch(silenceMs)
      try {
        return await request(flight.controller.signal, () => {
          flight.movedAt = now()
          watch(silenceMs)
        })
      } finally {
        flight.callOff()
        if (inFlight === flight) inFlight = undefined
      }
    },
    hurry() {
      if (!inFlight) return
      const silent = now() - inFlight.movedAt
      if (silent >= impatientSilenceMs || silent < 0) inFlight.controller.abort()
      else watch(impatientSilenceMs - silent)
    },
    abort: () => inFlight?.controller.abort(),
  }
}
