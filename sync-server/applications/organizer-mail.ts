import type { Knex } from 'knex'
import { nameInMail } from '../accounts/account-mails.ts'
import { findReaderOfApplications } from '../accounts/mail-preference-store.ts'
import type { ApplicationRow } from '../db/tables.ts'
import { queueMails } from '../mail/mail-store.ts'

/** Applications that arrive within this time share one mail (product decision). */
const gatherMs = 600_000

/**
 * Lets an organizer whom no device alerts know by mail that somebody has applied: one mail gathers all applications until
 * it leaves. A mail that is being written counts as gone; one that is held is kept until this transaction has ended, so
 * that it finds the application.
 */
export async function queueOrganizerMail(
  trx: Knex,
  organizerId: number,
  { id, event_id: eventId }: Pick<ApplicationRow, 'id' | 'event_id'>,
  now: Date,
): Promise<void> {
  if (await trx('push_subscriptions').where({ user_id: organizerId }).first('id')) return
  const reader = await findReaderOfApplications(trx, organizerId)
  if (!reader) return
  const gathering = await trx('mails')
    .where({ event_id: eventId, kind: 'new-applications', state: 'held' })
    .forShare()
    .first('id')
  if (gathering) return
  await queueMails(trx, [
    {
      kind: 'new-applications',
      key: `new-applications:${id}`,
      to: { name: nameInMail(reader), address: reader.email },
      eventId,
      userId: organizerId,
      payload: {},
      sendAt: new Date(now.getTime() + gatherMs),
    },
  ])
}
