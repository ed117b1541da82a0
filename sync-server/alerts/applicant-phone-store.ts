import type { Knex } from 'knex'
import type { AcceptedSubscription } from './push-endpoints.ts'

/** The oldest phones make room. */
const maxPerApplication = 5

/** @returns whether the application is still there */
export async function saveApplicantPhone(
  trx: Knex,
  { applicationId, endpoint, p256dh, auth }: AcceptedSubscription & { readonly applicationId: number },
): Promise<boolean> {
  // Two phones at once take turns, so that each counts the other.
  const [application] = await trx('applications').where({ id: applicationId }).forNoKeyUpdate().select('id')
  if (!application) return false
  await trx('applicant_phones')
    .insert({ applicationId, endpoint, p256dh, auth })
    .onConflict(['applicationId', 'endpoint'])
    .merge(['p256dh', 'auth'])
  const surplus = trx('applicant_phones')
    .where({ applicationId })
    .orderBy('id', 'desc')
    .offset(maxPerApplication)
    .select('id')
  await trx('applicant_phones').whereIn('id', surplus).del()
  return true
}
