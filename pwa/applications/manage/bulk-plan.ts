import { mayMove } from '#shared/applications/application-status.ts'
import type { Decision } from '#shared/applications/application-status.ts'
import type { ApplicationRow } from '../../replica/view/rows.ts'
import { decisionMark } from './applicant.ts'

/** What one decision about many people will do, told before it is made. */
export interface BulkPlan {
  /** Those it changes. */
  readonly rows: readonly ApplicationRow[]
  /** How many of the chosen stay as they are: decided so already, withdrawn, or in need of attention. */
  readonly unchanged: number
  /** Of those it changes, how many are approved now and lose that. */
  readonly revoked: number
  /** How many e-mails leave. */
  readonly emails: number
}

/** @param tell whether pending applicants hear that they were rejected; everyone else always hears */
export function bulkPlan(chosen: readonly ApplicationRow[], to: Decision, tell: boolean): BulkPlan {
  const rows = chosen.filter(
    (row) =>
      row.application.withdrawnAt === null &&
      decisionMark(row) !== 'needs-attention' &&
      mayMove(row.application.status, to),
  )
  const revoked = to === 'rejected' ? rows.filter(({ application }) => application.status === 'approved').length : 0
  return {
    rows,
    unchanged: chosen.length - rows.length,
    revoked,
    emails: to === 'approved' || tell ? rows.length : revoked,
  }
}
