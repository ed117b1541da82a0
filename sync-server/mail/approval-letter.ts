import type { CalendarEvent } from '#shared/domain/calendar.ts'
import {
  approvalValues,
  renderApprovalMail,
  type ApprovedPerson,
  type TemplateEvent,
} from '#shared/domain/email-template.ts'
import { calendarAttachment } from './calendar-attachment.ts'
import type { MailContent } from './mail-message.ts'

/** An event as the approval mail needs it. */
export interface ApprovalEvent extends TemplateEvent, CalendarEvent {
  readonly subject: string | null
  readonly body: string | null
  readonly edition: number
  readonly changedAt: Date
}

/** The approval as the event's own template words it, or the default, with the event for the reader's calendar. */
export function approvalLetter(
  person: ApprovedPerson,
  event: ApprovalEvent,
  publicOrigin: string,
): Pick<MailContent, 'subject' | 'text'> & Required<Pick<MailContent, 'attachments'>> {
  return {
    ...renderApprovalMail({ subject: event.subject, body: event.body }, approvalValues(person, event)),
    attachments: [
      calendarAttachment(event, publicOrigin, event.changedAt, { sequence: event.edition, method: 'PUBLISH' }),
    ],
  }
}
