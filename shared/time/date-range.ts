import { beginningsOf, instantOf, lastDateOf, type deadlineOf, type EventDays } from './event-time.ts'

const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' })
const months = Array.from({ length: 12 }, (_, month) => monthName.format(Date.UTC(2000, month)))

function parts(date: string): { year: number; month: string; day: number } {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return { year, month: months[month - 1] ?? '', day }
}

/** 'March 1, 2026'. Text in, text out: a Date could move the day. */
export function formatDate(date: string): string {
  const { year, month, day } = parts(date)
  return `${month} ${day}, ${year}`
}

/** Says a shared month or year once. */
export function formatDateRange(startDate: string, endDate: string): string {
  if (startDate === endDate) return formatDate(startDate)
  const start = parts(startDate)
  const end = parts(endDate)
  if (start.year !== end.year) return `${formatDate(startDate)} – ${formatDate(endDate)}`
  if (start.month !== end.month) return `${start.month} ${start.day} – ${end.month} ${end.day}, ${end.year}`
  return `${start.month} ${start.day}–${end.day}, ${end.year}`
}

/** 'March 6, 2026' of a night that ends after midnight; without times as `formatDateRange`. */
export function formatEventDays(event: EventDays): string {
  const { first, last } = beginningsOf(event)
  return formatDateRange(first, last)
}

/** '18:30' → '6:30 PM'. */
export function formatTime(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}

const zoneNames = new Map<string, Intl.DateTimeFormat>()

/** Writes 'CST' in winter and 'CDT' in summer. */
function zoneName(timeZone: string, date: string, time: string): string {
  let format = zoneNames.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' })
    zoneNames.set(timeZone, format)
  }
  const part = format.formatToParts(instantOf(date, time, timeZone)).find(({ type }) => type === 'timeZoneName')
  return part?.value ?? timeZone
}

/** '6:30 PM – 9:00 PM CST'; null without times. */
export function formatTimes(event: EventDays): string | null {
  const { startTime, endTime, timeZone } = event
  if (startTime === null) {
    return endTime === null ? null : `until ${formatTime(endTime)} ${zoneName(timeZone, event.endDate, endTime)}`
  }
  const startZone = zoneName(timeZone, event.startDate, startTime)
  if (endTime === null) return `${formatTime(startTime)} ${startZone}`
  const endZone = zoneName(timeZone, lastDateOf(event), endTime)
  // The clocks may change between the first and the last day.
  if (startZone !== endZone) return `${formatTime(startTime)} ${startZone} – ${formatTime(endTime)} ${endZone}`
  return `${formatTime(startTime)} – ${formatTime(endTime)} ${endZone}`
}

/** Writes 'December 10, 2026, 11:59 PM CST'; null means that there is no deadline. */
export function formatDeadline(event: Parameters<typeof deadlineOf>[0]): string | null {
  const [date, time] = event.applicationsCloseAt?.split('T') ?? []
  if (!date || !time) return null
  return `${formatDate(date)}, ${formatTime(time)} ${zoneName(event.timeZone, date, time)}`
}

/** 'March 1, 2026, 6:30 PM – 9:00 PM CST'. */
export function formatEventDate(event: EventDays): string {
  const days = formatEventDays(event)
  const times = formatTimes(event)
  return times === null ? days : `${days}, ${times}`
}
