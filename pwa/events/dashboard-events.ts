import { isUpcoming, todayIn } from '#shared/time/event-time.ts'
import type { EventRow } from '../sync/index.ts'
import { wordFinder } from '../ui/page/word-finder.ts'

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
 * Each span's events, past ones latest first.
 * @param rows by start
 */
export function bySpan(rows: readonly EventRow[], now: Date): Readonly<Record<Span, readonly EventRow[]>> {
  const found: Record<Span, EventRow[]> = { upcoming: [], today: [], week: [], later: [], past: [] }
  for (const row of rows) for (const span of spansOf(row, now)) found[span].push(row)
  found.past.reverse()
  return found
}

export function namedLike(rows: readonly EventRow[], text: string): readonly EventRow[] {
  const isFound = wordFinder(text)
  return rows.filter(({ event: { name, location, city } }) => isFound(name, location, city))
}
