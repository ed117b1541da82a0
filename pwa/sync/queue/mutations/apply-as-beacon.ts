import { applicationRecord, type ApplicationFields } from '#shared/applications/application-record.ts'
import { pick } from '#shared/record/record.ts'
import { defineMutation, valuesOf } from './mutation.ts'

export interface ApplyAsBeacon {
  /** Made by this device: see `newId`. */
  readonly id: number
  readonly eventId: number
  /** The event's name, for the label only. */
  readonly eventName: string
  readonly fields: ApplicationFields
  /** The field people leave empty. */
  readonly website?: string
  readonly filledInMs?: number
  /** The token of the server's first answer, where it is sent again after a restore. */
  readonly token?: string
}

/** Exactly the fields of an application, whatever else an object carries. */
export const pickApplicationFields = (fields: ApplicationFields): ApplicationFields => pick(applicationRecord, fields)
/** A volunteer's application. It belongs to no account and waits for no replica: the server's answer is kept as a receipt. */
export const applyAsBeacon = defineMutation<ApplyAsBeacon>({
  name: 'apply-as-beacon',
  route: 'applyAsBeacon',
  shape: {
    id: 'number',
    eventId: 'number',
    eventName: 'string',
    fields: valuesOf(applicationRecord),
    website: 'string?',
    filledInMs: 'number?',
    token: 'string?',
  },
  eventOf: ({ eventId }) => eventId,
  lane: ({ eventId, fields }) => `apply:${eventId}:${fields.email.toLowerCase()}`.slice(0, 80),
  send: ({ id, eventId, fields, website, filledInMs, token }) => ({
    params: { eventId },
    body: { ...pickApplicationFields(fields), id, website, filledInMs, token },
  }),
  withAnswer(args, answer) {
    const { token } = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown>
    return typeof token === 'string' ? { ...args, token } : args
  },
  label: ({ fields, eventName }) => `${fields.firstName} ${fields.lastName} applies for ${eventName}`,
})
