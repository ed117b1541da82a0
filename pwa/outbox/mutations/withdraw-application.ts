import { hasShape } from './args-shape.ts'
import type { Mutation } from './mutation.ts'
import { ownApplicationLane } from './correct-application.ts'

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
export const withdrawApplication: Mutation<WithdrawApplication> = {
  name: 'withdraw-application',
  argsVersion: 1,
  route: 'withdrawApplication',
  holdMs: 0,
  accepts: (args) =>
    hasShape(args, {
      applicationId: 'number',
      eventId: 'number',
      eventName: 'string',
      name: 'string',
      token: 'string',
    }),
  eventOf: ({ eventId }) => eventId,
  lane: ownApplicationLane,
  send: ({ token }) => ({ body: { token } }),
  fold() {},
  target: () => null,
  label: ({ name, eventName }) => `Withdraw the application of ${name} for ${eventName}`,
  upcast: (args) => args as WithdrawApplication,
}
