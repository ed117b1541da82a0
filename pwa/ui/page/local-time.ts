const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' })
const clockFormat = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

const longFormat = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric' })

/** An instant as the reader's own day in long form: 'November 21, 2026'. */
export function formatLongDay(instant: string): string {
  return longFormat.format(new Date(instant))
}

/** An instant as the reader's own day: 'Nov 21, 2026'. */
export function formatDay(instant: string): string {
  return dayFormat.format(new Date(instant))
}

/** The same without the year when that is the present one: 'Nov 21'. */
export function formatShortDay(instant: string, now: Date): string {
  const day = formatDay(instant)
  const year = `, ${now.getFullYear()}`
  return day.endsWith(year) ? day.slice(0, -year.length) : day
}

/** An instant as the reader's own clock shows it: '10:42 AM'. */
export function formatClock(instant: string): string {
  return clockFormat.format(new Date(instant))
}

/** The clock alone for today, the day before it otherwise: '10:42 AM', 'Nov 20, 2026, 10:42 AM'. */
export function formatMoment(instant: string, now: Date): string {
  const day = formatDay(instant)
  return day === dayFormat.format(now) ? formatClock(instant) : `${day}, ${formatClock(instant)}`
}
