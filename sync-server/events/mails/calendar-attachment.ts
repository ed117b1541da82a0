import { calendarFile, calendarFileName, type CalendarEvent, type CalendarNews } from '#shared/events/calendar.ts'
import type { MailAttachment } from '../../mail/mail-message.ts'

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
