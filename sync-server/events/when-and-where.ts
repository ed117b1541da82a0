import { placeText, type CalendarEvent } from '#shared/events/calendar.ts'
import { formatEventDate } from '#shared/time/date-range.ts'
import { instantOf } from '#shared/time/event-time.ts'
import type { EventRow } from '../db/rows/event-rows.ts'

/** What somebody who comes has to know of an event. */
export type WhenAndWhere = Omit<CalendarEvent, 'id' | 'name' | 'description'>

export function whenAndWhereOf(row: EventRow): WhenAndWhere {
  return {
    startDate: row.startDate,
    endDate: row.endDate,
    startTime: row.startTime,
    endTime: row.endTime,
    timeZone: row.timeZone,
    location: row.location,
    address: row.address,
    city: row.city,
    state: row.state,
    zipCode: row.zipCode,
  }
}

/** The public parts of an event that stand in a calendar, and in a mail once the event is gone. */
export function calendarEventOf(row: EventRow): CalendarEvent {
  return { id: row.id, name: row.name, description: row.description, ...whenAndWhereOf(row) }
}

/** Whether two states of an event read the same to whoever comes. */
export function readsTheSame(one: WhenAndWhere, other: WhenAndWhere): boolean {
  return formatEventDate(one) === formatEventDate(other) && placeText(one) === placeText(other)
}

/** Where nobody says when an event starts, it counts from nine in the morning. */
const unsaidStart = '09:00'

/** The instant at which an event starts, for what is to happen some time before. */
export function startOf({ startDate, startTime, timeZone }: WhenAndWhere): Date {
  return instantOf(startDate, startTime ?? unsaidStart, timeZone)
}
