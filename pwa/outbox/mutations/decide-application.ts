import {
  applicationStatuses,
  decisions,
  moveLabel,
  type ApplicationStatus,
  type Decision,
  decided,
} from '#shared/applications/decide.ts'
import { applicationTarget, countIn, defineMutation, oneOf } from './mutation.ts'

export interface DecideApplication {
  readonly applicationId: number
  readonly eventId: number
  /** First and last name, for the label only. */
  readonly name: string
  readonly status: Decision
  /** The status it was decided from, for the label only. */
  readonly from: ApplicationStatus
  readonly expectedDecisionNumber: number
  /** False: a pending applicant is not told that they were rejected. */
  readonly tellApplicant?: boolean
}

/** Approve, reject or revoke. Held for 8 s, during which it can be undone without anyone knowing. */
export const decideApplication = defineMutation<DecideApplication>({
  name: 'decide-application',
  route: 'decideApplication',
  holdMs: 8000,
  shape: {
    applicationId: 'number',
    eventId: 'number',
    name: 'string',
    status: oneOf(decisions),
    from: oneOf(applicationStatuses),
    expectedDecisionNumber: 'number',
    tellApplicant: 'boolean?',
  },
  eventOf: ({ eventId }) => eventId,
  lane: ({ applicationId }) => `application:${applicationId}`,
  send: ({ applicationId, status, expectedDecisionNumber, tellApplicant }) => ({
    params: { beaconId: applicationId },
    body: { status, expectedDecisionNumber, tellApplicant: tellApplicant === false ? false : undefined },
  }),
  fold({ applications }, wish) {
    const document = applications.get(String(wish.applicationId))
    // The decision's time is left to the server: the phone's clock decides nothing.
    if (document) applications.set(document.key, decided(document, wish))
  },
  target: ({ applicationId }) => applicationTarget(applicationId),
  label: ({ name, from, status }) => `${moveLabel(from, status)} ${name}`,
  expected: {
    of: (args) => args.expectedDecisionNumber,
    with: (args, expectedDecisionNumber) => ({ ...args, expectedDecisionNumber }),
    current: (document) => countIn(document, 'decisionNumber'),
    result: (args) => args.expectedDecisionNumber + 1,
  },
})
