import type { ApplicationFields } from '#shared/applications/application.ts'
import { hasShape } from './args-shape.ts'
import type { Mutation } from './mutation.ts'
import { pickApplicationFields } from './application-body.ts'

export interface ApplyAsBeacon {
  readonly eventId: number
  /** The event's name, for the label only. */
  readonly eventName: string
  readonly fields: ApplicationFields
  /** The field people leave empty. */
  readonly website?: string
  readonly filledInMs?: number
  /** What the server's first answer named, where it is offered again. */
  readonly former?: { readonly id: number; readonly token: string }
}

/** A volunteer's application. It belongs to nobody's account and waits for no replica: the server's answer is kept as a receipt. */
export const applyAsBeacon: Mutation<ApplyAsBeacon> = {
  name: 'apply-as-beacon',
  argsVersion: 1,
  route: 'applyAsBeacon',
  holdMs: 0,
  accepts: (args) =>
    hasShape(args, { eventId: 'number', eventName: 'string', fields: 'object' }) &&
    hasShape((args as { fields?: unknown }).fields, {
      firstName: 'string',
      lastName: 'string',
      email: 'string',
      customAnswers: 'object',
    }),
  eventOf: ({ eventId }) => eventId,
  lane: ({ eventId, fields }) => `apply:${eventId}:${fields.email.toLowerCase()}`.slice(0, 80),
  send: ({ eventId, fields, website, filledInMs, former }) => ({
    params: { eventId },
    body: {
      ...pickApplicationFields(fields),
      ...(website === undefined ? {} : { website }),
      ...(filledInMs === undefined ? {} : { filledInMs }),
      ...(former === undefined ? {} : { former }),
    },
  }),
  fold() {},
  withAnswer(args, answer) {
    const { id, token } = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown>
    return typeof id === 'number' && typeof token === 'string' ? { ...args, former: { id, token } } : args
  },
  target: () => null,
  label: ({ fields, eventName }) => `${fields.firstName} ${fields.lastName} applies for ${eventName}`,
  upcast: (args) => args as ApplyAsBeacon,
}
