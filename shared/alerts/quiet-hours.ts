import { instantOf, wallClockIn } from '../time/event-time.ts'

/** Hours in which a device wants no alerts: from a time of day until another, which may be of the next day. */
export interface QuietHours {
  /** '22:00', 24-hour, as the device's clock shows it. */
  readonly from: string
  readonly to: string
  /** IANA name of the zone the device is in. */
  readonly timeZone: string
}

const minuteMs = 60_000
/** More than any clock is ever changed by. */
const changeMs = 120 * minuteMs

/**
 * The first instant after `now` at which the device's clock shows no quiet time; null when it is not quiet now. Asked of
 * the clock itself, so that an end in the hour that spring skips is the moment of the skip.
 */
export function quietUntil(hours: QuietHours, now: Date): Date | null {
  if (!isQuiet(hours, now)) return null
  const { date, time } = wallClockIn(hours.timeZone, now)
  const lastDay = time < hours.to ? date : dayAfter(date)
  const expected = instantOf(lastDay, hours.to, hours.timeZone).getTime()
  let end = (Math.floor(now.getTime() / minuteMs) + 1) * minuteMs
  // Until shortly before the expected end there is nothing to find.
  end = Math.max(end, expected - changeMs)
  while (isQuiet(hours, new Date(end))) end += minuteMs
  return new Date(end)
}

function isQuiet({ from, to, timeZone }: QuietHours, instant: Date): boolean {
  const { time } = wallClockIn(timeZone, instant)
  return from < to ? from <= time && time < to : time >= from || time < to
}

function dayAfter(date: string): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1, day + 1)).toISOString().slice(0, 10)
}
