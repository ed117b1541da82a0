import { formatDate, formatDeadline, formatEventDays } from '../time/date-range.ts'
import { dayAfter, deadlineOf, endOf, hasEnded, lastDateOf, todayIn, type EventDays } from '../time/event-time.ts'

const maxYearsAhead = 5
const maxDays = 31
const dayMs = 86_400_000

type Dates = EventDays & { readonly applicationsCloseAt: string | null }
type SavedDates = Pick<EventDays, 'startDate' | 'endDate'> & { readonly applicationsCloseAt?: string | null }

/** Asks about what is new, not again about what stays. */
export function doubtsAbout(event: Dates, saved: SavedDates | undefined, now: Date): string[] {
  const isMoved = !saved || saved.startDate !== event.startDate || saved.endDate !== event.endDate
  const hasNewDeadline = isMoved || (saved.applicationsCloseAt ?? null) !== event.applicationsCloseAt
  return [...(isMoved ? dateDoubts(event, now) : []), ...(hasNewDeadline ? deadlineDoubts(event, now) : [])]
}

/**
 * What is probably a slip of the finger: publishing costs a use of the plan, so it is asked about.
 * @returns a sentence for each; none for days that need no question
 */
function dateDoubts(event: EventDays, now: Date): string[] {
  const { startDate, endDate, timeZone } = event
  const today = todayIn(timeZone, now)
  const yearsAhead = Number(startDate.slice(0, 4)) - Number(today.slice(0, 4))
  const days = Math.round((Date.parse(lastDateOf(event)) - Date.parse(startDate)) / dayMs) + 1
  return [
    ...(hasEnded(event, now) ? [`It would be over already: ${formatEventDays(event)}.`] : []),
    ...(!hasEnded(event, now) && dayAfter(startDate) < today
      ? [`It would have begun on ${formatDate(startDate)}.`]
      : []),
    ...(yearsAhead > maxYearsAhead ? [`It would begin in ${yearsAhead} years, on ${formatDate(startDate)}.`] : []),
    ...(days > maxDays
      ? [`It would last for ${days.toLocaleString('en-US')} days, until ${formatDate(endDate)}.`]
      : []),
  ]
}

/** An event that is over takes no applications whatever its deadline. */
function deadlineDoubts(event: Dates, now: Date): string[] {
  const deadline = deadlineOf(event)
  if (deadline === null || hasEnded(event, now)) return []
  const shown = formatDeadline(event)
  return [
    ...(deadline <= now ? [`Applications would be closed already, since ${shown}.`] : []),
    ...(deadline > endOf(event) ? [`Applications would close after its end, on ${shown}.`] : []),
  ]
}
