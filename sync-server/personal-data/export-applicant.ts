import type { Knex } from 'knex'

/**
 * Everything that is held about an applicant under an e-mail address, whatever its case, over all events, as JSON for
 * the person it is about: what they wrote, what organizers decided and noted, their phones, the mails to them. Undefined
 * when there is nothing. Left out is what opens something (hashes, keys).
 */
export async function exportApplicant(db: Knex, email: string): Promise<object | undefined> {
  const rows = await db('applications').whereRaw('lower(email) = lower(?)', [email]).orderBy('id')
  const ids = rows.map(({ id }) => id)
  const mails = await db('mails')
    .where(
      (either) =>
        void either
          .whereIn('application_id', ids)
          .orWhere((to) => void to.whereNull('user_id').whereRaw('lower(to_address) = lower(?)', [email])),
    )
    .orderBy('id')
    .select(
      'application_id',
      'kind',
      'event_id',
      'to_name',
      'to_address',
      'subject',
      'payload',
      'state',
      'send_at',
      'sent_at',
      'created_at',
    )
  if (rows.length + mails.length === 0) return undefined
  const applications: object[] = []
  for (const { status_token_hash: _, ...application } of rows) {
    applications.push({
      ...application,
      event: await db('events')
        .where({ id: application.event_id })
        .first('id', 'name', 'start_date', 'end_date', 'location', 'address', 'city', 'state'),
      decisions: await db('application_decisions')
        .where({ application_id: application.id })
        .orderBy('decision_number')
        .select('decision_number', 'from_status', 'to_status', 'decided_at'),
      phones: await db('applicant_phones')
        .where({ application_id: application.id })
        .orderBy('id')
        .select('endpoint', 'created_at', 'last_success_at'),
    })
  }
  return { email, applications, mails }
}
