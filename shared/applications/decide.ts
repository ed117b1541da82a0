import type { Refused, Ruling } from '../contract/problem.ts'
import { judgeBasis, type Basis } from '../record/basis.ts'

/** A withdrawn application is `rejected` with a `withdrawnAt`. */
export const applicationStatuses = ['pending', 'approved', 'rejected'] as const
export type ApplicationStatus = (typeof applicationStatuses)[number]

export const decisions = ['approved', 'rejected'] as const satisfies readonly ApplicationStatus[]
export type Decision = (typeof decisions)[number]

const allowedMoves: Record<ApplicationStatus, readonly Decision[]> = {
  pending: ['approved', 'rejected'],
  approved: ['rejected'],
  rejected: ['approved'],
}

/** Specification, section 4. */
export function mayMove(from: ApplicationStatus, to: Decision): boolean {
  return allowedMoves[from].includes(to)
}

/** Rejecting an approved Beacon is a revocation. */
export function moveLabel(from: ApplicationStatus, to: Decision): 'Approve' | 'Reject' | 'Revoke Approval' {
  if (to === 'approved') return 'Approve'
  return from === 'approved' ? 'Revoke Approval' : 'Reject'
}

export interface Decidable {
  readonly status: ApplicationStatus
  /** Names the state after the latest decision or withdrawal; null before the first. */
  readonly basis: string | null
  readonly decisionNumber: number
  /** What guests read that was not approved. */
  readonly publicChanges?: object | undefined
  readonly coming?: boolean | null | undefined
}

interface Withdrawable {
  readonly withdrawnAt: unknown
}

/** False for a withdrawn application. */
export function mayDecide({ status, withdrawnAt }: Pick<Decidable, 'status'> & Withdrawable, to: Decision): boolean {
  return withdrawnAt === null && mayMove(status, to)
}

/** A decision already made succeeds and changes nothing; one on an older decision is a conflict. */
export function judgeDecision(
  application: Decidable & Withdrawable,
  status: Decision,
  basis: Basis | undefined,
): Ruling {
  const fit = judgeBasis(application.basis, basis)
  if (typeof fit === 'object') return fit
  if (application.status === status) return 'already'
  if (application.withdrawnAt !== null) return notAllowed('The applicant has withdrawn this application.')
  if (fit === 'stale') return { refused: 'conflict', message: `This application was ${application.status} meanwhile.` }
  if (mayDecide(application, status)) return 'change'
  return notAllowed(`${moveLabel(application.status, status)} is not possible now.`)
}

const notAllowed = (message: string): Refused => ({ refused: 'not_allowed_now', message })

/**
 * Agrees to whatever guests read by now.
 * @param state names what it leaves behind
 */
export function decided<A extends Decidable>(application: A, status: Decision, state: string): A {
  const decisionNumber = application.decisionNumber + 1
  return { ...application, status, decisionNumber, basis: state, publicChanges: undefined, coming: undefined }
}

/** Rejected for good; counts as a decision. */
export function withdrawn<A extends Decidable>(application: A, state: string): A {
  return decided(application, 'rejected', state)
}

/** Only a pending applicant may be spared the news of a rejection; a withdrawn approval is always told. */
export function isKeptQuiet(
  { status }: Pick<Decidable, 'status'>,
  wish: { readonly status: Decision; readonly tellApplicant?: boolean | undefined },
): boolean {
  return status === 'pending' && wish.status === 'rejected' && wish.tellApplicant === false
}
