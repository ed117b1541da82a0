import type { Knex } from 'knex'
import type { ApplicationRow } from '../../db/rows/application-rows.ts'
import type { EventRow } from '../../db/rows/event-rows.ts'
import type { MailRow } from '../../db/rows/message-rows.ts'
import { isConfirmed } from '../../mail/mail-allowance.ts'
import type { WhenAndWhere } from '#shared/events/when-and-where.ts'
import { eventInMail } from '../../events/mails/event-in-mail.ts'

export interface MailedApplication {
  readonly application: ApplicationRow
  /** The organizer's words that the mail may not carry are left out. */
  readonly event: EventRow
  /** It is compared with what the reader knew before, and never printed. */
  readonly storedEvent: EventRow
  readonly organizerIsConfirmed: boolean
}

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

/** Notes what the mail's reader knows by it: when and where, or of which applications. */
export async function noteTold(
  db: Knex,
  { id }: Pick<MailRow, 'id'>,
  note: { readonly told: WhenAndWhere } | { readonly applicationIds: readonly number[] },
): Promise<void> {
  await db('mails')
    .where({ id })
    .update({ payload: db.raw('payload || ?::jsonb', [JSON.stringify(note)]) })
}

/** A sent mail said so; undefined means that none said when and where. */
export async function lastTold(db: Knex, applicationId: number): Promise<WhenAndWhere | undefined> {
  const { rows } = await db.raw<{ rows: { told: WhenAndWhere }[] }>(
    `select payload->'told' as told from mails
     where application_id = ? and state = 'sent' and payload->'told' is not null order by sent_at desc, id desc limit 1`,
    [applicationId],
  )
  return rows[0]?.told
}
