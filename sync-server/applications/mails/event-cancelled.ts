import { placeText, type CalendarEvent } from '#shared/events/calendar.ts'
import { formatEventDate } from '#shared/time/date-range.ts'
import { calendarAttachment } from '../../events/mails/calendar-attachment.ts'
import { isConfirmed } from '../../mail/confirmed-organizer.ts'
import { placeInMail } from '../../events/mails/event-in-mail.ts'
import type { MailRenderer } from '../../mail/mail-renderer.ts'
import { greeting } from '../../mail/greeting.ts'

interface Cancellation {
  /** The event as it was: its row is gone. */
  readonly event: CalendarEvent
  readonly edition: number
  readonly knownStatus: string
}

/** That an event will not take place. Whoever was approved also gets it taken out of their calendar. */
export const writeEventCancelled: MailRenderer = async (db, mail, { publicOrigin }) => {
  const { event: stored, edition, knownStatus } = mail.payload as unknown as Cancellation
  const event = placeInMail(stored, await isConfirmed(db, mail.organizerId))
  const isBeacon = knownStatus === 'approved'
  return {
    subject: `Cancelled: ${event.name}`,
    heading: `${event.name} is cancelled`,
    text: `${greeting(mail.toName)}\n\n${event.name} will not take place: the organizer has cancelled it. There is nothing you need to do.`,
    facts: [
      { label: 'It was to be', value: formatEventDate(event) },
      { label: 'At', value: placeText(event) },
    ],
    closing: isBeacon
      ? 'Thank you for having been ready to help people meet. Open the attached file to take the event out of your calendar.'
      : 'Your application has ended with it. Thank you for having offered to help people meet.',
    action: { label: 'Find Another Event', path: '/events' },
    reason: isBeacon
      ? `You get this because you were a Beacon for ${event.name}.`
      : `You get this because you had applied to be a Beacon for ${event.name}.`,
    ...(isBeacon
      ? {
          attachments: [
            calendarAttachment(event, publicOrigin, mail.createdAt, { sequence: edition + 1, method: 'CANCEL' }),
          ],
        }
      : {}),
  }
}
