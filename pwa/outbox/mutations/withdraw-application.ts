import { ownApplicationLane } from './correct-application.ts'
import { defineMutation } from './mutation.ts'

export interface WithdrawApplication {
  readonly applicationId: number
  readonly eventId: number
  /** The event's name and the applicant's, for the label only. */
  readonly eventName: string
  readonly name: string
  /** What opens the application. */
  readonly token: string
}

/** A volunteer takes their own application back. */
export const withdrawApplication = defineMutation<WithdrawApplication>({
  name: 'withdraw-application',
  route: 'withdrawApplication',
  shape: { applicationId: 'number', eventId: 'number', eventName: 'string', name: 'string', token: 'string' },
  eventOf: ({ eventId }) => eventId,
  lane: ownApplicationLane,
  send: ({ token }) => ({ body: { token } }),
  label: ({ name, eventName }) => `Withdraw the application of ${name} for ${eventName}`,
})
