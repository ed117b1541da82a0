import { namedAsStored } from '../db/column-names.ts'
import type { Knex } from 'knex'

/**
 * Everything that is held about an applicant under an e-mail address, whatever its case, over all events, as JSON for
 * the person it is about: what they wrote, what organizers decided and noted, their phones, the mails to them. Undefined
 * when there is nothing. Left out is what opens something (hashes, keys). Columns have the names that PostgreSQL knows them by.
 */
export async function exportApplicant(db: Knex, email: string): Promise<object | undefined> {
  const rows = await db('applications').whereRaw('lower(email) = lower(?)', [email]).orderBy('id')
  const ids = rows.map(({ id }) => id)
  const mails = await db('mails')
    .where(
      (either) =>
        void either
          .whereIn('applicationId', ids)
          .orWhere((to) => void to.whereNull('userId').whereRaw('lower(to_address) = lower(?)', [email])),
    )
    .orderBy('id')
    .select(
      'applicationId',
      'kind',
      'eventId',
      'toName',
      'toAddress',
      'subject',
      'payload',
      'state',
      'sendAt',
      'sentAt',
      'createdAt',
    )
  if (rows.length + mails.length === 0) return undefined
  const applications: object[] = []
  for (const { statusTokenHash: _, ...application } of rows) {
    const event = await db('events')
      .where({ id: application.eventId })
      .first('id', 'name', 'startDate', 'endDate', 'location', 'address', 'city', 'state')
    const decisions = await db('application_decisions')
      .where({ applicationId: application.id })
      .orderBy('decisionNumber')
      .select('decisionNumber', 'fromStatus', 'toStatus', 'decidedAt')
    const phones = await db('applicant_phones')
      .where({ applicationId: application.id })
      .orderBy('id')
      .select('endpoint', 'createdAt', 'lastSuccessAt')
    applications.push({
      ...namedAsStored(application),
      event: event && namedAsStored(event),
      decisions: decisions.map(namedAsStored),
      phones: phones.map(namedAsStored),
    })
  }
  return { email, applications, mails: mails.map(namedAsStored) }
}
