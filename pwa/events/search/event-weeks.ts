import { formatDate } from '#shared/time/date-range.ts'

interface Week<E> {
  /** 'This week', 'Next week', 'Week of December 7'; another year is added. */
  readonly title: string
  readonly events: readonly E[]
}

const dayMs = 86_400_000
const numberOf = (date: string) => Date.parse(`${date}T00:00Z`) / dayMs
/** The first day of 1970 was a Thursday. */
const mondayOf = (day: number) => day - ((day + 3) % 7)

function titleOf(monday: number, today: string): string {
  const weeks = (monday - mondayOf(numberOf(today))) / 7
  if (weeks < 2) return weeks === 0 ? 'This week' : 'Next week'
  const date = formatDate(new Date(monday * dayMs).toISOString().slice(0, 10))
  const year = `, ${today.slice(0, 4)}`
  return `Week of ${date.endsWith(year) ? date.slice(0, -year.length) : date}`
}

/**
 * Keeps the order of the events. One that has begun is of this week.
 * @param today by the reader's calendar
 */
export function byWeek<E>(events: readonly E[], startOf: (event: E) => string, today: string): readonly Week<E>[] {
  const weeks = new Map<number, E[]>()
  for (const event of events) {
    const monday = mondayOf(Math.max(numberOf(startOf(event)), numberOf(today)))
    const sameWeek = weeks.get(monday)
    if (sameWeek) sameWeek.push(event)
    else weeks.set(monday, [event])
  }
  return [...weeks].map(([monday, found]) => ({ title: titleOf(monday, today), events: found }))
}
