import type { Knex } from 'knex'
import type { ApplicationStatus } from '#shared/domain/application-status.ts'
import { findAwaited } from '../devices/applicant-phone-store.ts'
import { insertJobs } from '../jobs/job-store.ts'

export const decisionPushKind = 'decision-push'

/** What a decision is to its applicant: what they knew before, and what they are to learn. The same goes into the mail. */
export interface DecisionNews {
  readonly applicationId: number
  readonly decisionNumber: number
  readonly knownStatus: ApplicationStatus
  readonly toStatus: ApplicationStatus
}

/**
 * Has the phones of applicants told of decisions once the hold is over, in the caller's transaction. Only where a phone
 * asked for it. One that was overtaken by a further decision finds so when it is due, and says nothing.
 */
export async function queueDecisionPushes(trx: Knex, news: readonly DecisionNews[], runAt: Date): Promise<void> {
  if (news.length === 0) return
  const awaited = await findAwaited(
    trx,
    news.map(({ applicationId }) => applicationId),
  )
  await insertJobs(
    trx,
    news
      .filter(({ applicationId, knownStatus, toStatus }) => awaited.has(applicationId) && knownStatus !== toStatus)
      .map((one) => ({
        kind: decisionPushKind,
        key: `${decisionPushKind}:${one.applicationId}:${one.decisionNumber}`,
        payload: { ...one },
        runAt,
      })),
  )
}
