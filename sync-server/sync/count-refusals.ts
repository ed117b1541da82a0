import { problemStatus, type ProblemCode } from '#shared/contract/problem.ts'
import { refusedChanges } from '../http/operation.ts'

/** A phone waits or signs in for these; all others wait there for a person. */
const passing: ReadonlySet<string> = new Set<ProblemCode>([
  'invalid_credentials',
  'sign_in_required',
  'session_expired',
  'session_revoked',
  'account_mismatch',
  'app_too_old',
  'too_many_requests',
])

/**
 * Counts what a phone leaves to its person, by the reason. Answers that it takes for success or waits out are no refusals.
 * @param text of the answer's body
 */
export function countRefusal(route: string, status: number, text: string | null): void {
  if (status < 400 || status >= 500 || text === null) return
  // Deleting what is gone already is what was wished.
  if (route === 'deleteEvent' && status === 404) return
  const { code } = JSON.parse(text) as { code?: unknown }
  if (typeof code === 'string' && Object.hasOwn(problemStatus, code) && !passing.has(code)) refusedChanges.inc({ code })
}
