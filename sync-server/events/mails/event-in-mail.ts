import { calendarFile, calendarFileName, type CalendarEvent, type CalendarNews } from '#shared/events/calendar.ts'
import { cutToBytes } from '#shared/mail/mail-size.ts'
import { wordsInMail, type OrganizerWords } from '#shared/mail/organizer-words.ts'
import type { MailAttachment } from '../../mail/mail-content.ts'
import type { WhenAndWhere } from '#shared/events/when-and-where.ts'
import { instantOf } from '#shared/time/event-time.ts'
import type { EventRow } from '../../db/rows/event-rows.ts'

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

/** A calendar needs these, and so does a mail once the event is gone. */
export function calendarEventOf(row: EventRow): CalendarEvent {
  return { id: row.id, name: row.name, description: row.description, ...whenAndWhereOf(row) }
}

/** An event without a start time gets this one. */
const unsaidStart = '09:00'

export function startOf({ startDate, startTime, timeZone }: WhenAndWhere): Date {
  return instantOf(startDate, startTime ?? unsaidStart, timeZone)
}

/** Limits the description in a calendar file, which links to the page. */
const descriptionBytes = 600

/** Leaves out the organizer's words that a mail to an applicant may not carry. */
export function eventInMail<T extends OrganizerWords & { readonly description: string }>(
  event: T,
  organizerIsConfirmed: boolean,
): T {
  const description = organizerIsConfirmed ? cutToBytes(event.description, descriptionBytes) : ''
  return { ...wordsInMail(event, organizerIsConfirmed), description }
}

/** All mails about the event use one name: a later file changes or cancels the entry. */
export function calendarAttachment(
  event: CalendarEvent,
  publicOrigin: string,
  stampedAt: Date,
  news: CalendarNews & Required<Pick<CalendarNews, 'sequence' | 'method'>>,
): MailAttachment {
  return {
    filename: calendarFileName(event),
    contentType: `text/calendar; charset=utf-8; method=${news.method}`,
    content: calendarFile(event, publicOrigin, stampedAt, news),
  }
}
