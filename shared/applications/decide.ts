import type { Refused, Ruling } from '../contract/problem.ts'
import { fitsBasis, type Basis } from '../record/basis.ts'

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

/** The specification allows these moves (section 4). */
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
  /** Guests read these, and the organizer has not agreed to them. */
  readonly publicChanges?: object | undefined
  readonly coming?: boolean | null | undefined
}

interface Withdrawable {
  readonly withdrawnAt: unknown
}

/** A withdrawn application cannot be decided. */
export function mayDecide({ status, withdrawnAt }: Pick<Decidable, 'status'> & Withdrawable, to: Decision): boolean {
  return withdrawnAt === null && mayMove(status, to)
}

/**
 * A decision already made succeeds and changes nothing; one on an older decision is a conflict.
 * @param again it was taken before the server was restored. What it was made on may come back from another device and
 *   undo what looks fulfilled now, so only the person can tell.
 */
export function judgeDecision(
  application: Decidable & Withdrawable,
  status: Decision,
  basis: Basis,
  again = false,
): Ruling {
  const fits = fitsBasis(application.basis, basis)
  if (application.status === status && (fits || !again)) return 'already'
  if (application.withdrawnAt !== null) return notAllowed('The applicant has withdrawn this application.')
  if (!fits) return { refused: 'conflict', message: `This application was ${application.status} in the meantime.` }
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

/** The application is rejected until its applicant applies again, and counts as a decision. */
export function withdrawn<A extends Decidable>(application: A, state: string): A {
  return decided(application, 'rejected', state)
}

/** The application waits for the organizer as it did at first, and counts as a decision. */
export function appliedAgain<A extends Decidable>(application: A, state: string): A {
  return { ...decided(application, 'rejected', state), status: 'pending' }
}

/**
 * Offers again only what the applicant took back, and only once: a second time finds nothing withdrawn. A rejection
 * from before the withdrawal is the organizer's answer and stays.
 * @param before its status when it was withdrawn
 */
export function judgeApplyingAgain({ withdrawnAt }: Withdrawable, before: ApplicationStatus | undefined): Ruling {
  if (withdrawnAt === null) return 'already'
  if (before === 'rejected') return notAllowed('The organizer had decided on this application before you withdrew it.')
  return 'change'
}

/** Only a pending applicant may be spared the news of a rejection; a withdrawn approval is always told. */
export function isKeptQuiet(
  { status }: Pick<Decidable, 'status'>,
  wish: { readonly status: Decision; readonly tellApplicant?: boolean | undefined },
): boolean {
  return status === 'pending' && wish.status === 'rejected' && wish.tellApplicant === false
}
