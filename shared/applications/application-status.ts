/** The three states of an application; a withdrawn one is `rejected` with a `withdrawnAt`. */
export const applicationStatuses = ['pending', 'approved', 'rejected'] as const
export type ApplicationStatus = (typeof applicationStatuses)[number]

/** What an organizer may decide. */
export type Decision = Exclude<ApplicationStatus, 'pending'>

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
