const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' })
const clockFormat = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

const longFormat = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric' })

/** Writes 'November 21, 2026' in the reader's zone, as all formats here do. */
export function formatLongDay(instant: string): string {
  return longFormat.format(new Date(instant))
}

/** 'Nov 21, 2026' */
export function formatDay(instant: string): string {
  return dayFormat.format(new Date(instant))
}

/** Writes 'Nov 21' in the present year. */
export function formatShortDay(instant: string, now: Date): string {
  const day = formatDay(instant)
  const year = `, ${now.getFullYear()}`
  return day.endsWith(year) ? day.slice(0, -year.length) : day
}

/** '10:42 AM' */
export function formatClock(instant: string): string {
  return clockFormat.format(new Date(instant))
}

/** Writes '10:42 AM' for today, else 'Nov 20, 2026, 10:42 AM'. */
export function formatMoment(instant: string, now: Date): string {
  const day = formatDay(instant)
  return day === dayFormat.format(now) ? formatClock(instant) : `${day}, ${formatClock(instant)}`
}
