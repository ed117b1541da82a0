import {
  calendarFile,
  calendarFileName,
  type CalendarEvent,
  type CalendarNews,
  placeText,
} from '#shared/events/calendar.ts'
import { cutToBytes } from '#shared/mail/mail-size.ts'
import { wordsInMail, type OrganizerWords } from '#shared/mail/organizer-words.ts'
import type { MailAttachment } from '../../mail/mail-content.ts'
import { formatEventDate } from '#shared/time/date-range.ts'
import { instantOf } from '#shared/time/event-time.ts'
import type { EventRow } from '../../db/rows/event-rows.ts'

/** What a guest has to know of an event. */
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

/** Whether two states of an event read the same to a guest. */
export function readsTheSame(one: WhenAndWhere, other: WhenAndWhere): boolean {
  return formatEventDate(one) === formatEventDate(other) && placeText(one) === placeText(other)
}

/** An event without a start time counts from nine in the morning. */
const unsaidStart = '09:00'

/** The instant at which an event starts, for what is to happen some time before. */
export function startOf({ startDate, startTime, timeZone }: WhenAndWhere): Date {
  return instantOf(startDate, startTime ?? unsaidStart, timeZone)
}

/** Bytes of an event's description in a mail's calendar file, which leads to the page with all of it. */
const descriptionBytes = 600

/** An event with no more of its organizer's words than a mail to an applicant may carry. */
export function eventInMail<T extends OrganizerWords & { readonly description: string }>(
  event: T,
  organizerIsConfirmed: boolean,
): T {
  const description = organizerIsConfirmed ? cutToBytes(event.description, descriptionBytes) : ''
  return { ...wordsInMail(event, organizerIsConfirmed), description }
}

/**
 * An event for the reader's calendar. The entry keeps its name over all mails about the event, so that a later file
 * changes or cancels what an earlier one put there.
 */
export function calendarAttachment(
  event: CalendarEvent,
  publicOrigin: string,
  stampedAt: Date,
  news: Required<CalendarNews>,
): MailAttachment {
  return {
    filename: calendarFileName(event),
    contentType: `text/calendar; charset=utf-8; method=${news.method}`,
    content: calendarFile(event, publicOrigin, stampedAt, news),
  }
}
