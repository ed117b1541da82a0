import type { CalendarEvent } from '#shared/events/calendar.ts'
import { approvalMail, type ApprovedPerson, type TemplateEvent } from '#shared/mail/email-template.ts'
import { wordsInMail, type OrganizerWords } from '#shared/mail/organizer-words.ts'
import { calendarAttachment } from '../../events/mails/calendar-attachment.ts'
import { descriptionInMail } from '../../events/mails/event-in-mail.ts'
import type { MailContent } from '../../mail/mail-message.ts'

/** An event as the approval mail needs it. */
export interface ApprovalEvent extends TemplateEvent, CalendarEvent, OrganizerWords {
  readonly city: string | null
  readonly edition: number
  readonly changedAt: Date
}

/**
 * The approval as the event's own template words it, or the default, with the event for the reader's calendar.
 * @param event as it is stored: what of it may be told is settled here
 */
export function approvalLetter(
  person: ApprovedPerson,
  event: ApprovalEvent,
  organizerIsConfirmed: boolean,
  publicOrigin: string,
): Pick<MailContent, 'subject' | 'text'> & Required<Pick<MailContent, 'attachments'>> {
  const entry = {
    ...wordsInMail(event, organizerIsConfirmed),
    description: descriptionInMail(event.description, organizerIsConfirmed),
  }
  return {
    ...approvalMail(person, event, organizerIsConfirmed),
    attachments: [
      calendarAttachment(entry, publicOrigin, event.changedAt, { sequence: event.edition, method: 'PUBLISH' }),
    ],
  }
}
