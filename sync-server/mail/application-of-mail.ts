import type { Knex } from 'knex'
import type { ApplicationRow, EventRow, MailRow } from '../db/tables.ts'

/** The application a mail is about, with its event, as they are now; undefined when they are gone. */
export async function applicationOfMail(
  db: Knex,
  mail: Pick<MailRow, 'application_id'>,
): Promise<{ readonly application: ApplicationRow; readonly event: EventRow } | undefined> {
  if (mail.application_id === null) return undefined
  const application = await db('applications').where({ id: mail.application_id }).first()
  const event = application && (await db('events').where({ id: application.event_id }).first())
  return event && { application, event }
}
