import type { Knex } from 'knex'
import type { ApplicationRow } from '../../db/rows/application-rows.ts'
import type { EventRow } from '../../db/rows/event-rows.ts'
import type { MailRow } from '../../db/rows/message-rows.ts'
import { isConfirmed } from '../../mail/mail-store.ts'
import { eventInMail, type WhenAndWhere } from '../../events/mails/event-in-mail.ts'

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

/**
 * Keeps with a mail what it says about when and where, at the moment it is written: once it is sent, that is what its
 * reader knows.
 */
export async function noteTold(db: Knex, mail: Pick<MailRow, 'id'>, told: WhenAndWhere): Promise<void> {
  await db('mails')
    .where({ id: mail.id })
    .update({ payload: db.raw('payload || ?::jsonb', [JSON.stringify({ told })]) })
}

/** What an applicant was told last by a mail that was sent; undefined when none said when and where. */
export async function lastTold(db: Knex, applicationId: number): Promise<WhenAndWhere | undefined> {
  const { rows } = await db.raw<{ rows: { told: WhenAndWhere }[] }>(
    `select payload->'told' as told from mails
     where application_id = ? and state = 'sent' and payload->'told' is not null order by sent_at desc, id desc limit 1`,
    [applicationId],
  )
  return rows[0]?.told
}
