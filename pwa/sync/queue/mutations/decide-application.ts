import {
  applicationStatuses,
  decisions,
  moveLabel,
  type ApplicationStatus,
  type Decision,
  decided,
} from '#shared/applications/decide.ts'
import { timings } from '../../../browser/timings.ts'
import { applicationTarget, defineMutation, oneOf, textOrNull } from './mutation.ts'

export interface DecideApplication {
  readonly applicationId: number
  readonly eventId: number
  readonly name: string
  readonly status: Decision
  readonly from: ApplicationStatus
  readonly basis: string | null
  /** False: a pending applicant gets no mail. */
  readonly tellApplicant?: boolean
}

export const decideApplication = defineMutation<DecideApplication>({
  name: 'decide-application',
  route: 'decideApplication',
  holdMs: timings.undoMs,
  shape: {
    applicationId: 'number',
    eventId: 'number',
    name: 'string',
    status: oneOf(decisions),
    from: oneOf(applicationStatuses),
    basis: textOrNull,
    tellApplicant: 'boolean?',
  },
  eventOf: ({ eventId }) => eventId,
  lane: ({ applicationId }) => `application:${applicationId}`,
  send: ({ applicationId, status, tellApplicant }) => ({
    params: { beaconId: applicationId },
    body: { status, tellApplicant: tellApplicant === false ? false : undefined },
  }),
  fold({ applications }, { applicationId, status }, key) {
    const document = applications.get(String(applicationId))
    // The phone's clock decides nothing.
    if (document && document.basis !== key) applications.set(document.key, decided(document, status, key))
  },
  isAlready: ({ applications }, { applicationId, status }) =>
    applications.get(String(applicationId))?.status === status,
  target: ({ applicationId }) => applicationTarget(applicationId),
  label: ({ name, from, status }) => `${moveLabel(from, status)} ${name}`,
  changesState: true,
})
