import type { ApplicationFields } from '#shared/applications/application.ts'
import { hasShape } from './args-shape.ts'
import type { Mutation } from './mutation.ts'
import { pickApplicationFields } from './application-body.ts'

export interface CorrectApplication {
  readonly applicationId: number
  readonly eventId: number
  /** The event's name, for the label only. */
  readonly eventName: string
  /** What opens the application. */
  readonly token: string
  readonly fields: ApplicationFields
}

/** Changes to one's own application leave in order. */
export const ownApplicationLane = ({ applicationId }: { readonly applicationId: number }) =>
  `own-application:${applicationId}`

/** A volunteer puts their own application right. It belongs to nobody's account; the server's answer is kept as a receipt. */
export const correctApplication: Mutation<CorrectApplication> = {
  name: 'correct-application',
  argsVersion: 1,
  route: 'correctApplication',
  holdMs: 0,
  accepts: (args) =>
    hasShape(args, {
      applicationId: 'number',
      eventId: 'number',
      eventName: 'string',
      token: 'string',
      fields: 'object',
    }) &&
    hasShape((args as { fields?: unknown }).fields, {
      firstName: 'string',
      lastName: 'string',
      email: 'string',
      customAnswers: 'object',
    }),
  eventOf: ({ eventId }) => eventId,
  lane: ownApplicationLane,
  send: ({ token, fields }) => ({ body: { token, ...pickApplicationFields(fields) } }),
  fold() {},
  target: () => null,
  label: ({ fields, eventName }) =>
    `Correct the application of ${fields.firstName} ${fields.lastName} for ${eventName}`,
  upcast: (args) => args as CorrectApplication,
}
