import { headers, isOurAnswer } from '#shared/contract/request.ts'
import { readText, writeText } from '../../browser/browser-storage.ts'
import { observable } from '../../browser/observable.ts'

/**
 * A device's clock may be wrong by a day or a year: days, plans and deadlines are judged by the `Date` of our server's
 * answers. A clock changed while the app is closed is noticed by the next answer.
 */

const name = 'beaconry-clock'
/** A smaller difference is not worth keeping, because `Date` counts whole seconds. */
const dateResolutionMs = 1000
const negligibleMs = 10_000
const noticedMs = 2000

/** The server is ahead of this device's clock by this many milliseconds. */
export const clockCorrection = observable(readKept())

let offsetMs = clockCorrection.get()
/** The device's clock was last believed at this moment, by its own time and by the monotonic counter. */
let anchor = { wallMs: Date.now(), counterMs: performance.now() }

/**
 * Goes on evenly if the clock is set back while the page is open. That it runs ahead proves nothing: on many systems
 * the counter stops while the device sleeps.
 */
function evenClockMs(): number {
  const wallMs = Date.now()
  const evenMs = anchor.wallMs + (performance.now() - anchor.counterMs)
  return evenMs - wallMs > noticedMs ? evenMs : wallMs
}

export function serverNowMs(): number {
  return evenClockMs() + offsetMs
}

export function serverNow(): Date {
  return new Date(serverNowMs())
}

/** Converts an instant by this device's clock (ISO); it is wrong if this clock was set since. */
export function byServerClock(instant: string): string {
  return new Date(Date.parse(instant) + offsetMs).toISOString()
}

/**
 * The answer was written between `sentAtMs` and now: the known offset is kept while it fits what a slow network's
 * `Date` may mean.
 * @param sentAtMs `performance.now()` when the request was sent
 */
export function noteServerDate(response: Pick<Response, 'headers'>, sentAtMs: number): void {
  if (!isOurAnswer(response.headers.get(headers.serverVersion))) return
  const dateMs = Date.parse(response.headers.get('Date') ?? '')
  if (Number.isNaN(dateMs)) return
  const counterMs = performance.now()
  const wallMs = Date.now()
  const earliest = dateMs - wallMs
  const latest = dateMs + dateResolutionMs - (wallMs - Math.max(0, counterMs - sentAtMs))
  anchor = { wallMs, counterMs }
  if (offsetMs < earliest || offsetMs > latest) offsetMs = Math.round((earliest + latest) / 2)
  if (Math.abs(offsetMs - clockCorrection.get()) < noticedMs) return
  // A first paint reads it.
  writeText(name, Math.abs(offsetMs) < negligibleMs ? null : String(offsetMs))
  clockCorrection.set(offsetMs)
}

function readKept(): number {
  const kept = Number(readText(name) ?? 0)
  return Number.isFinite(kept) ? kept : 0
}
