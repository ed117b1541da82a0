import type { Refused, Ruling } from '../contract/problem.ts'

/** The three states of an application; a withdrawn one is `rejected` with a `withdrawnAt`. */
export const applicationStatuses = ['pending', 'approved', 'rejected'] as const
export type ApplicationStatus = (typeof applicationStatuses)[number]

/** What an organizer may decide. */
export const decisions = ['approved', 'rejected'] as const satisfies readonly ApplicationStatus[]
export type Decision = (typeof decisions)[number]

const allowedMoves: Record<ApplicationStatus, readonly Decision[]> = {
  pending: ['approved', 'rejected'],
  approved: ['rejected'],
  rejected: ['approved'],
}

/** Whether an organizer may move an application from one state to another (specification, section 4). */
export function mayMove(from: ApplicationStatus, to: Decision): boolean {
  return allowedMoves[from].includes(to)
}

/** The organizer's word for a move: rejecting an approved Beacon is a revocation. */
export function moveLabel(from: ApplicationStatus, to: Decision): 'Approve' | 'Reject' | 'Revoke Approval' {
  if (to === 'approved') return 'Approve'
  return from === 'approved' ? 'Revoke Approval' : 'Reject'
}

/** What a decision changes. */
export interface Decidable {
  readonly status: ApplicationStatus
  /** How many decisions were made on it, its applicant's withdrawal among them. */
  readonly decisionNumber: number
  /** What guests read that is not what was approved. */
  readonly publicChanges?: object | undefined
}

/** An application that its applicant may have taken back. */
interface Withdrawable {
  readonly withdrawnAt: unknown
}

/** A decision as its organizer made it. */
export interface DecisionWish {
  readonly status: Decision
  /** The number of decisions it was made on; a client that does not count takes the application as it is. */
  readonly expectedDecisionNumber?: number | undefined
}

/** Whether an organizer may decide so now. Nothing is decided about an application that was taken back. */
export function mayDecide({ status, withdrawnAt }: Pick<Decidable, 'status'> & Withdrawable, to: Decision): boolean {
  return withdrawnAt === null && mayMove(status, to)
}

/**
 * What becomes of a decision. One that is made already is a success that changes nothing; one that was made on an older
 * decision is a conflict. So is one that was made on a decision which is not known here: a server that went back to an earlier
 * moment may look as wished until that decision is brought back.
 */
export function judgeDecision(
  application: Decidable & Withdrawable,
  { status, expectedDecisionNumber }: DecisionWish,
): Ruling {
  if (expectedDecisionNumber !== undefined && expectedDecisionNumber > application.decisionNumber)
    return { refused: 'conflict', message: 'The server does not know the decision before this one.' }
  if (application.status === status) return 'already'
  if (application.withdrawnAt !== null) return notAllowed('The applicant has withdrawn this application.')
  if (expectedDecisionNumber !== undefined && expectedDecisionNumber !== application.decisionNumber)
    return { refused: 'conflict', message: `This application was ${application.status} meanwhile.` }
  if (mayDecide(application, status)) return 'change'
  return notAllowed(`${moveLabel(application.status, status)} is not possible now.`)
}

const notAllowed = (message: string): Refused => ({ refused: 'not_allowed_now', message })

/**
 * The application after a decision, which agrees to whatever guests read by now. Where its number is not the expected one, the phone is ahead of what it was told, and
 * counts on from its own.
 */
export function decided<A extends Decidable>(
  application: A,
  { status, expectedDecisionNumber = application.decisionNumber }: DecisionWish,
): A {
  return { ...application, status, decisionNumber: expectedDecisionNumber + 1, publicChanges: undefined }
}

/** The application after its applicant took it back: rejected for good, which counts as a decision. */
export function withdrawn<A extends Decidable>(application: A): A {
  return decided(application, { status: 'rejected' })
}

/** An organizer may spare a pending applicant the news of a rejection, but nobody that an approval is withdrawn. */
export function isKeptQuiet(
  { status }: Pick<Decidable, 'status'>,
  wish: { readonly status: Decision; readonly tellApplicant?: boolean | undefined },
): boolean {
  return status === 'pending' && wish.status === 'rejected' && wish.tellApplicant === false
}
