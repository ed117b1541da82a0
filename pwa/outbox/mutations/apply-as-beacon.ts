import { applicationRecord, type ApplicationFields } from '#shared/applications/application-record.ts'
import { pick } from '#shared/record/record.ts'
import { defineMutation, valuesOf } from './mutation.ts'

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

/** Exactly the fields of an application, whatever else an object carries. */
export const pickApplicationFields = (fields: ApplicationFields): ApplicationFields => pick(applicationRecord, fields)
/** A volunteer's application. It belongs to nobody's account and waits for no replica: the server's answer is kept as a receipt. */
export const applyAsBeacon = defineMutation<ApplyAsBeacon>({
  name: 'apply-as-beacon',
  route: 'applyAsBeacon',
  shape: {
    eventId: 'number',
    eventName: 'string',
    fields: valuesOf(applicationRecord),
    website: 'string?',
    filledInMs: 'number?',
  },
  eventOf: ({ eventId }) => eventId,
  lane: ({ eventId, fields }) => `apply:${eventId}:${fields.email.toLowerCase()}`.slice(0, 80),
  send: ({ eventId, fields, website, filledInMs, former }) => ({
    params: { eventId },
    body: { ...pickApplicationFields(fields), website, filledInMs, former },
  }),
  withAnswer(args, answer) {
    const { id, token } = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown>
    return typeof id === 'number' && typeof token === 'string' ? { ...args, former: { id, token } } : args
  },
  label: ({ fields, eventName }) => `${fields.firstName} ${fields.lastName} applies for ${eventName}`,
})
