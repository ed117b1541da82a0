import type { PublicEvent } from '#shared/events/event-calls.ts'
import { call, Refused } from '../api/call.ts'
import { serverNow, serverNowMs } from '../api/server-time.ts'
import { keepBeacons, keptBeacons } from './browse-cache.ts'

/** Of the events that come next; more would cost a visitor's data for pages hardly anyone opens. */
const mostEvents = 30
const freshMs = 3_600_000
/** Between two, so that nothing a person asked for has to wait. */
const pauseMs = 150

let running = false

/**
 * Fetches the Beacons of the next upcoming events, so that their pages open whole without a network; the events themselves
 * came with the list. Stops at the first sign of a bad network, and for people who save data.
 */
export async function prefetchBeacons(events: readonly Pick<PublicEvent, 'id'>[]): Promise<void> {
  const connection = (navigator as { connection?: { saveData?: boolean } }).connection
  if (running || connection?.saveData) return
  running = true
  try {
    for (const { id } of events.slice(0, mostEvents)) {
      const kept = await keptBeacons(id)
      if (kept && serverNowMs() - Date.parse(kept.asOf) < freshMs) continue
      try {
        await keepBeacons(id, await call('listBeacons', { params: { id } }), serverNow().toISOString())
      } catch (error) {
        if (!(error instanceof Refused) || error.status !== 404) return
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  } finally {
    running = false
  }
}
