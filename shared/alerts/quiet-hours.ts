import { dayAfter, instantOf, wallClockIn } from '../time/event-time.ts'

/** `to` may be on the next day. */
export interface QuietHours {
  /** Times are like '22:00', by the device's clock. */
  readonly from: string
  readonly to: string
  /** This is an IANA name. */
  readonly timeZone: string
}

const minuteMs = 60_000
/** No clock change is longer. */
const changeMs = 120 * minuteMs

/**
 * Finds the first instant after `now` that is not quiet; null means that it is not quiet now. The clock decides: an end
 * in the hour that spring skips is the moment of the skip.
 */
export function quietUntil(hours: QuietHours, now: Date): Date | null {
  if (!isQuiet(hours, now)) return null
  const { date, time } = wallClockIn(hours.timeZone, now)
  const lastDay = time < hours.to ? date : dayAfter(date)
  const expected = instantOf(lastDay, hours.to, hours.timeZone).getTime()
  let end = (Math.floor(now.getTime() / minuteMs) + 1) * minuteMs
  // Quiet hours cannot end earlier.
  end = Math.max(end, expected - changeMs)
  while (isQuiet(hours, new Date(end))) end += minuteMs
  return new Date(end)
}

function isQuiet({ from, to, timeZone }: QuietHours, instant: Date): boolean {
  const { time } = wallClockIn(timeZone, instant)
  return from < to ? from <= time && time < to : time >= from || time < to
}
