import { Refused, Unreachable } from '../api/call.ts'
import type { Problem } from '#shared/api/problem.ts'

/** What became of a sign-in or registration, in words for the person who tried. */
export type AuthFailure =
  { readonly kind: 'unreachable' } | { readonly kind: 'refused'; readonly problem: Pick<Problem, 'message' | 'fields'> }

/** Why a call of the session failed. Anything that is no answer of our server counts as no connection. */
export function authFailureOf(error: unknown): AuthFailure {
  if (error instanceof Refused) return { kind: 'refused', problem: error.problem }
  if (error instanceof Unreachable) return { kind: 'unreachable' }
  return { kind: 'refused', problem: { message: error instanceof Error ? error.message : 'Something went wrong.' } }
}
