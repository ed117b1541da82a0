import { isKeptQuiet, mayDecide } from '#shared/applications/decide.ts'
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
  const rows = chosen.filter((row) => decisionMark(row) !== 'needs-attention' && mayDecide(row.application, to))
  const revoked = to === 'rejected' ? rows.filter(({ application }) => application.status === 'approved').length : 0
  return {
    rows,
    unchanged: chosen.length - rows.length,
    revoked,
    emails: rows.filter(({ application }) => !isKeptQuiet(application, { status: to, tellApplicant: tell })).length,
  }
}
