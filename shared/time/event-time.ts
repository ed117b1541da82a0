interface WallClock {
  /** '2026-03-01' */
  readonly date: string
  /** '18:30', 24-hour */
  readonly time: string
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** Making a formatter costs far more than using one. */
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

/** '2026-03-01' → '2026-03-02'. */
export function dayAfter(date: string): string {
  return new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10)
}

const asUtc = (clock: WallClock) => Date.parse(`${clock.date}T${clock.time}:00Z`)

/** Minutes ahead of UTC; negative in America. */
export function utcOffsetMinutes(timeZone: string, instant: Date): number {
  return (asUtc(wallClockIn(timeZone, instant)) - Math.floor(instant.getTime() / 60_000) * 60_000) / 60_000
}

/** In an hour that spring skips, of a neighbouring hour; in one that autumn repeats, either. */
export function instantOf(date: string, time: string, timeZone: string): Date {
  const wanted = asUtc({ date, time })
  let guess = wanted
  // The first guess may be on the other side of a clock change.
  for (let step = 0; step < 2; step += 1) guess += wanted - asUtc(wallClockIn(timeZone, new Date(guess)))
  return new Date(guess)
}

interface EventDays {
  readonly endDate: string
  readonly timeZone: string
}

/** The last day is today or later in the event's own zone (product decision). */
export function isUpcoming(event: EventDays, now: Date): boolean {
  return event.endDate >= todayIn(event.timeZone, now)
}

/** The last day has passed, or its end time has come. */
export function hasEnded(event: EventDays & { readonly endTime: string | null }, now: Date): boolean {
  const clock = wallClockIn(event.timeZone, now)
  if (event.endDate !== clock.date) return event.endDate < clock.date
  return event.endTime !== null && event.endTime <= clock.time
}

export const applicationsClosedMessage = 'Applications for this event are closed.'

/** Not over, past the deadline, closed by hand or full. */
export function applicationsAreOpen(
  event: EventDays & {
    readonly endTime: string | null
    readonly applicationsCloseAt: string | null
    readonly applicationsClosed: boolean
  },
  now: Date,
): boolean {
  if (event.applicationsClosed || hasEnded(event, now)) return false
  return event.applicationsCloseAt === null || now.getTime() < Date.parse(event.applicationsCloseAt)
}

/** As the server orders: first day, name without regard to case, id. */
export function byStart(
  one: { readonly startDate: string; readonly name: string; readonly id: number },
  other: { readonly startDate: string; readonly name: string; readonly id: number },
): number {
  return (
    compare(one.startDate, other.startDate) ||
    compare(one.name.toLowerCase(), other.name.toLowerCase()) ||
    one.id - other.id
  )
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
