import type { Knex } from 'knex'
import type { ApplicantPhoneRow } from '../db/rows/message-rows.ts'
import type { AcceptedSubscription } from './push-endpoints.ts'

/** The oldest phones make room. */
const mostPerApplication = 5

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
    .offset(mostPerApplication)
    .select('id')
  await trx('applicant_phones').whereIn('id', surplus).del()
  return true
}

export async function removeApplicantPhone(db: Knex, applicationId: number, endpoint: string): Promise<void> {
  await db('applicant_phones').where({ applicationId, endpoint }).del()
}

export async function listApplicantPhones(db: Knex, applicationId: number): Promise<ApplicantPhoneRow[]> {
  return await db('applicant_phones').where({ applicationId }).orderBy('id')
}

export async function findApplicantPhone(db: Knex, id: number): Promise<ApplicantPhoneRow | undefined> {
  return await db('applicant_phones').where({ id }).first()
}
