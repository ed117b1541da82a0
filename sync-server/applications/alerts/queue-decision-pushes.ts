import type { Knex } from 'knex'
import { findAwaited } from '../../alerts/applicant-phone-store.ts'
import { insertJobs } from '../../jobs/job-store.ts'

export const decisionPushKind = 'decision-push'

/** The mail about a decision, as it is queued: whom it is about, what they knew before and are to learn, and how long it is held. */
interface DecisionMail {
  readonly applicationId?: number
  /** `decisionNumber`, `knownStatus`, `toStatus`. */
  readonly payload: Readonly<Record<string, unknown>>
  readonly sendAt?: Date
  readonly mayHaveLeft?: boolean
}

/**
 * Has the phones of applicants told of what the given mails tell, when these are sent, in the caller's transaction: no
 * news for the mail is none for the phone. Only where a phone asked for it. One that was overtaken by a further decision
 * finds so when it is due, and says nothing.
 */
export async function queueDecisionPushes(trx: Knex, mails: readonly DecisionMail[]): Promise<void> {
  const ids = mails.flatMap(({ applicationId }) => applicationId ?? [])
  const awaited: ReadonlySet<number | undefined> = ids.length === 0 ? new Set() : await findAwaited(trx, ids)
  await insertJobs(
    trx,
    mails.flatMap(({ applicationId, payload, sendAt, mayHaveLeft }) => {
      if (mayHaveLeft || !awaited.has(applicationId) || payload['knownStatus'] === payload['toStatus']) return []
      const decisionNumber = Number(payload['decisionNumber'])
      return {
        kind: decisionPushKind,
        key: `${decisionPushKind}:${applicationId}:${decisionNumber}`,
        payload: { applicationId, decisionNumber },
        ...(sendAt && { runAt: sendAt }),
      }
    }),
  )
}
