import type { Access } from '#shared/contract/route.ts'
import { includesRole, roleNames, type Role } from '#shared/contract/roles.ts'
import type { Caller } from './handler.ts'
import { ProblemError } from './problems.ts'

export type SignedOutReason = 'sign_in_required' | 'session_expired' | 'session_revoked'

const signedOutMessage: Record<SignedOutReason, string> = {
  sign_in_required: 'Please sign in.',
  session_expired: 'Your session has expired. Please sign in again.',
  session_revoked: 'This session was ended. Please sign in again.',
}

export function signInProblem(reason: SignedOutReason): ProblemError {
  return new ProblemError(reason, signedOutMessage[reason])
}

/** Ownership is the handler's question. */
export function checkAccess(access: Access, caller: Caller | null, signedOut: SignedOutReason): void {
  if (access === 'anyone') return
  if (!caller) throw signInProblem(signedOut)
  if (access === 'admin' && !caller.isAdmin) throw new ProblemError('forbidden', 'Access Denied')
}

/**
 * Members of a team make the calls of their role for its organizer. Calls about the caller's own account are made without
 * an organizer (`callerFor`), and so by an owner.
 * @param needed the least role that may make the call; undefined: none
 */
export function checkRole(needed: Role | undefined, { role }: Pick<Caller, 'role'>): void {
  if (role === 'owner') return
  if (role === null) throw new ProblemError('not_on_team', 'You are no longer on this organizer’s team.')
  if (!needed || !includesRole(role, needed))
    throw new ProblemError('forbidden', `Your role on this team, ${roleNames[role]}, does not include this.`)
}

export function checkAccount(account: number, caller: Caller | null, signedOut: SignedOutReason): void {
  if (!caller) throw signInProblem(signedOut)
  if (caller.userId !== account) {
    throw new ProblemError('account_mismatch', 'This change belongs to another account than the one that is signed in.')
  }
}

/** Throws for a call made without the pipeline's check. */
export function signedIn(call: { readonly caller: Caller | null }): Caller {
  if (!call.caller) throw new ProblemError('sign_in_required', 'Please sign in.')
  return call.caller
}
