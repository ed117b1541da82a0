import type { Knex } from 'knex'
import type { ApplicationRow } from '../../db/rows/application-rows.ts'
import type { EventRow } from '../../db/rows/event-rows.ts'
import type { MailRow } from '../../db/rows/mail-rows.ts'
import { isConfirmed } from '../../mail/confirmed-organizer.ts'
import { eventInMail } from '../../events/mails/event-in-mail.ts'

/** What a mail to an applicant is written from, as it is now. */
export interface MailedApplication {
  readonly application: ApplicationRow
  /** With no more of the organizer's words than the mail may carry. */
  readonly event: EventRow
  /** As it is stored: to compare with what was told before, never to be printed. */
  readonly storedEvent: EventRow
  readonly organizerIsConfirmed: boolean
}

/** The application a mail is about, with its event, as they are now; undefined when they are gone. */
export async function applicationOfMail(
  db: Knex,
  mail: Pick<MailRow, 'applicationId'>,
): Promise<MailedApplication | undefined> {
  if (mail.applicationId === null) return undefined
  const application = await db('applications').where({ id: mail.applicationId }).first()
  const storedEvent = application && (await db('events').where({ id: application.eventId }).first())
  if (!storedEvent) return undefined
  const organizerIsConfirmed = await isConfirmed(db, storedEvent.organizerId)
  return { application, event: eventInMail(storedEvent, organizerIsConfirmed), storedEvent, organizerIsConfirmed }
}
