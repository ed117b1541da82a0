import { beginningsOf, eventDayOf, hasEnded, isUpcoming, todayIn, type EventDays } from '#shared/time/event-time.ts'
import type { EventRow } from '../sync/index.ts'
import { wordFinder } from '#shared/text/matching.ts'

/** By each place's calendar; this week is today and six more days. */
export const spans = ['upcoming', 'today', 'week', 'later', 'past'] as const
export type Span = (typeof spans)[number]

const dayMs = 86_400_000

function spansOf({ event }: EventRow, now: Date): readonly Span[] {
  if (!isUpcoming(event, now)) return ['past']
  const today = todayIn(event.timeZone, now)
  const inSixDays = todayIn(event.timeZone, new Date(now.getTime() + 6 * dayMs))
  if (event.startDate > inSixDays) return ['upcoming', 'later']
  return event.startDate <= today ? ['upcoming', 'today', 'week'] : ['upcoming', 'week']
}

/**
 * Sorts events into spans, past ones latest first.
 * @param rows by start
 */
export function bySpan(rows: readonly EventRow[], now: Date): Readonly<Record<Span, readonly EventRow[]>> {
  const found: Record<Span, EventRow[]> = { upcoming: [], today: [], week: [], later: [], past: [] }
  for (const row of rows) for (const span of spansOf(row, now)) found[span].push(row)
  found.past.reverse()
  return found
}

interface TodaysEvent {
  readonly row: EventRow
  readonly when: 'Today' | 'Tonight'
}

const eveningBegins = '17:00'

function isTonight({ startDate, startTime, endTime }: EventDays, day: string): boolean {
  if (startTime === null || startTime < eveningBegins) return false
  // A conference may open at 6 PM and end at 5 PM two days later.
  const lastsAllDay = endTime !== null && endTime <= startTime && endTime > '12:00'
  return !lastsAllDay || day === startDate
}

/**
 * Events whose day it is by their own clock, until they end: a night that began yesterday goes on past midnight.
 * @param rows by start
 */
export function todaysEvents(rows: readonly EventRow[], now: Date): readonly TodaysEvent[] {
  return rows.flatMap((row) => {
    const { event } = row
    const { first, last } = beginningsOf(event)
    const day = eventDayOf(event, now)
    if (day < first || day > last || event.cancelledAt !== undefined || hasEnded(event, now)) return []
    return { row, when: isTonight(event, day) ? ('Tonight' as const) : ('Today' as const) }
  })
}

/** 'Tonight: Portland Makers Evening, 27 waiting' */
export function todaysTitle({ row: { event, counts }, when }: TodaysEvent): string {
  return `${when}: ${event.name}${counts.pending > 0 ? `, ${counts.pending} waiting` : ''}`
}

export function namedLike(rows: readonly EventRow[], text: string): readonly EventRow[] {
  const isFound = wordFinder(text)
  return rows.filter(({ event: { name, location, city } }) => isFound(name, location, city))
}
