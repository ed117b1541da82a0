import { findByToken } from '../own-application-store.ts'
import type { ApplicationRow } from '../../db/rows/application-rows.ts'
import type { HandlerCall, Room } from '../../calls/handler.ts'
import { ProblemError } from '../../calls/problems.ts'
import { storedEndpoint } from '../../alerts/push-endpoints.ts'
import { acceptSubscription } from '../../alerts/accepted-subscription.ts'
import { removeApplicantPhone, saveApplicantPhone } from '../../alerts/applicant-phone-store.ts'

type PhoneRoute = 'tellThisPhone' | 'stopTellingThisPhone'

async function findOwn({ db, address, spend, body }: HandlerCall<PhoneRoute>): Promise<ApplicationRow> {
  await spend('own-application', address)
  const row = await findByToken(db, body.token)
  if (row) return row
  throw new ProblemError('not_found', 'We have no application under this link. Its event may have been deleted.')
}

/** Applicants without an account: whoever has the application's token may have their phone told about it. */
export const applicantPhoneHandlers: Room<PhoneRoute> = {
  tellThisPhone: async (call) => {
    const { id, withdrawnAt } = await findOwn(call)
    if (withdrawnAt) throw new ProblemError('not_allowed_now', 'You have withdrawn this application.')
    await saveApplicantPhone(call.db, { applicationId: id, ...acceptSubscription(call.body, call.config.pushHosts) })
    return undefined
  },

  stopTellingThisPhone: async (call) => {
    const { id } = await findOwn(call)
    await removeApplicantPhone(call.db, id, storedEndpoint(call.body.endpoint))
    return undefined
  },
}
