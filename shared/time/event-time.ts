interface WallClock {
  /** '2026-03-01' */
  readonly date: string
  /** The time is written like '18:30', on a 24-hour clock. */
  readonly time: string
}

const minuteMs = 60_000
const dayMs = 86_400_000

const clocks = new Map<string, Intl.DateTimeFormat>()

/** A formatter costs far more to make than to use. */
function clockOf(timeZone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timeZone)
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    })
    clocks.set(timeZone, clock)
  }
  return clock
}

/** IANA, as this engine knows them. */
export function isTimeZone(timeZone: unknown): boolean {
  try {
    return typeof timeZone === 'string' && clockOf(timeZone) !== undefined
  } catch {
    return false
  }
}

/** Throws RangeError for an unknown IANA zone. */
export function wallClockIn(timeZone: string, instant: Date): WallClock {
  const parts: Record<string, string> = {}
  for (const { type, value } of clockOf(timeZone).formatToParts(instant)) parts[type] = value
  const { year, month, day, hour, minute } = parts
  return { date: `${String(year).padStart(4, '0')}-${month}-${day}`, time: `${hour}:${minute}` }
}

/** '2026-03-01'. */
export function todayIn(timeZone: string, now: Date): string {
  return wallClockIn(timeZone, now).date
}

// Beyond these a day has no text of this form. They stay, so that a list survives an event with such a year.
const firstDay = '0000-01-01'
const lastDay = '9999-12-31'

/** '2026-03-01' → '2026-03-02'. */
export function dayAfter(date: string): string {
  return date >= lastDay ? lastDay : new Date(Date.parse(date) + dayMs).toISOString().slice(0, 10)
}

/** '2026-03-01' → '2026-02-28'. */
export function dayBefore(date: string): string {
  return date <= firstDay ? firstDay : new Date(Date.parse(date) - dayMs).toISOString().slice(0, 10)
}

const asUtc = (clock: WallClock) => Date.parse(`${clock.date}T${clock.time}:00Z`)

/** Minutes are ahead of UTC, and negative in America. */
export function utcOffsetMinutes(timeZone: string, instant: Date): number {
  return asUtc(wallClockIn(timeZone, instant)) / minuteMs - Math.floor(instant.getTime() / minuteMs)
}

/** A day and a half later some clock shows a year of five digits. Whatever would be later is this. */
const lastInstant = Date.parse('9999-12-30T00:00Z')

/**
 * An hour that spring skips and an hour that autumn repeats could be either of two instants. It is the later one, as in
 * PostgreSQL: nothing is over while a clock still shows an earlier time.
 */
export function instantOf(date: string, time: string, timeZone: string): Date {
  const wanted = Math.min(asUtc({ date, time }), lastInstant)
  const offsetAt = (ms: number) => utcOffsetMinutes(timeZone, new Date(ms)) * minuteMs
  // No clock changes twice in two days, and none is a day ahead or behind.
  const before = offsetAt(wanted - dayMs)
  const after = offsetAt(wanted + dayMs)
  const later = wanted - Math.min(before, after)
  if (before === after) return new Date(later)
  const earlier = wanted - Math.max(before, after)
  const isOnlyEarlier = offsetAt(later) !== wanted - later && offsetAt(earlier) === wanted - earlier
  return new Date(isOnlyEarlier ? earlier : later)
}

export interface EventDays {
  readonly startDate: string
  readonly endDate: string
  readonly startTime: string | null
  readonly endTime: string | null
  readonly timeZone: string
}

/** What ends later belongs to the last of several days, not to the night before it. */
const latestNightEnd = '12:00'

/** An end time at or before the start time is the next day's. Under several dates it is so only in the morning. */
export function lastsPastMidnight({ startDate, endDate, startTime, endTime }: EventDays): boolean {
  if (startTime === null || endTime === null || endTime > startTime) return false
  return startDate === endDate || endTime <= latestNightEnd
}

/** Finds the day on which it is over: the one after `endDate` for a night that begins and ends under one date. */
export function lastDateOf(event: EventDays): string {
  const { startDate, endDate } = event
  return startDate === endDate && lastsPastMidnight(event) ? dayAfter(endDate) : endDate
}

/** Finds the days on which it begins. From 8 PM to 1 AM, March 6 alone and March 6 to 7 are the same one night. */
export function beginningsOf(event: EventDays): { readonly first: string; readonly last: string } {
  const { startDate, endDate } = event
  const isLastMorning = startDate !== endDate && lastsPastMidnight(event)
  return { first: startDate, last: isLastMorning ? dayBefore(endDate) : endDate }
}

/** The last day is today or later in the event's own zone (product decision). */
export function isUpcoming(event: EventDays, now: Date): boolean {
  return lastDateOf(event) >= todayIn(event.timeZone, now)
}

/** The instant from which it is over; the end of its last day without an end time. */
export function endOf(event: EventDays): Date {
  const lastDate = lastDateOf(event)
  const { endTime, timeZone } = event
  return endTime === null ? instantOf(dayAfter(lastDate), '00:00', timeZone) : instantOf(lastDate, endTime, timeZone)
}

/** Lists ask this about hundreds of events, and most end so long before or after that no zone matters. */
export function hasEnded(event: EventDays, now: Date): boolean {
  const untilEnd = asUtc({ date: lastDateOf(event), time: event.endTime ?? '23:59' }) - now.getTime()
  return Math.abs(untilEnd) > dayMs ? untilEnd < 0 : endOf(event) <= now
}

/** An event is on from its first day's start, which is midnight without a start time, to its end. */
export function isOnNow(event: EventDays, now: Date): boolean {
  const { startDate, startTime, timeZone } = event
  return instantOf(startDate, startTime ?? '00:00', timeZone) <= now && !hasEnded(event, now)
}

const dayMinutes = 1440
/** After the end people are still there, and arrivals are still noted. */
const lateMinutes = 240
const longestChangeMinutes = 120

/**
 * Finds the day of the event that an instant belongs to. A night lasts until four hours after its end time, or until
 * the next one begins: half past midnight belongs to the evening before.
 */
export function eventDayOf(event: EventDays, instant: Date): string {
  const { date, time } = wallClockIn(event.timeZone, instant)
  const untilNightEnds = nightMinutes(event) - minutesOf(time)
  // Where clocks change, this one shows the end of the night twice or never.
  const isNight =
    untilNightEnds > 0 ||
    (untilNightEnds > -longestChangeMinutes && instant < instantOf(date, nightEndOf(event), event.timeZone))
  return isNight ? dayBefore(date) : date
}

/** Counts how many minutes of a calendar day belong to the night before. */
function nightMinutes(event: EventDays): number {
  const { startTime, endTime } = event
  const end = endTime === null ? dayMinutes : minutesOf(endTime) + (lastsPastMidnight(event) ? dayMinutes : 0)
  const start = startTime === null ? dayMinutes : minutesOf(startTime)
  return Math.min(Math.max(0, end + lateMinutes - dayMinutes), start)
}

function nightEndOf(event: EventDays): string {
  const minutes = nightMinutes(event)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

interface Deadline {
  /** This is the venue's clock, `2026-12-10T23:59`. */
  readonly applicationsCloseAt: string | null
  readonly timeZone: string
}

/**
 * Returns null without a deadline. A deadline moves with the event's zone, because the clock's time is what people were
 * told.
 */
export function deadlineOf({ applicationsCloseAt, timeZone }: Deadline): Date | null {
  const [date = '', time = ''] = applicationsCloseAt?.split('T') ?? []
  return applicationsCloseAt === null ? null : instantOf(date, time.slice(0, 5), timeZone)
}

/** An instant as that clock shows it; what is a clock's time already stays. */
export function asWallClock(value: string, timeZone: string): string {
  if (!/(?:Z|[+-]\d\d:\d\d)$/.test(value)) return value
  const { date, time } = wallClockIn(timeZone, new Date(value))
  return `${date}T${time}`
}

export const applicationsClosedMessage = 'Applications for this event are closed.'

/** Applications are open unless the event is over, past the deadline, closed by hand or full. */
export function applicationsAreOpen(
  event: EventDays & {
    readonly applicationsCloseAt: string | null
    readonly applicationsClosed: boolean
  },
  now: Date,
): boolean {
  if (event.applicationsClosed || hasEnded(event, now)) return false
  const deadline = deadlineOf(event)
  return deadline === null || now < deadline
}

const lateMs = 86_400_000

/** Whether only the deadline has passed since an application was finished, and not long ago: the network was slow. */
export function isSentLate(event: Parameters<typeof applicationsAreOpen>[0], finishedAt: Date, now: Date): boolean {
  const deadline = deadlineOf(event)
  if (deadline === null || !applicationsAreOpen({ ...event, applicationsCloseAt: null }, now)) return false
  return finishedAt < deadline && now >= deadline && now.getTime() - deadline.getTime() < lateMs
}
