import type { Caller } from './handler.ts'
import { ProblemError } from './problems.ts'

/** The caller of a route for signed-in people. The pipeline has refused everyone else; a call made by hand may not have. */
export function signedIn(call: { readonly caller: Caller | null }): Caller {
  if (!call.caller) throw new ProblemError('sign_in_required', 'Please sign in.')
  return call.caller
}
