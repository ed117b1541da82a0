import { applicationRecord, type ApplicationFields } from '#shared/applications/application-record.ts'
import type { ViewSource } from '#shared/events/view-source.ts'
import { pick } from '#shared/record/record.ts'
import { defineMutation, valuesOf } from './mutation.ts'

export interface ApplyAsBeacon {
  /** `newId` makes it. */
  readonly id: number
  readonly eventId: number
  readonly eventName: string
  readonly fields: ApplicationFields
  /** A field for robots: people leave it empty. */
  readonly website?: string
  readonly filledInMs?: number
  readonly cameFrom?: ViewSource | undefined
  /** When Submit was pressed, by the server's clock (ISO): it may leave hours later. */
  readonly finishedAt?: string
  /** The server's first answer had it, for an application that is sent again after a restore. */
  readonly token?: string | undefined
}

export const pickApplicationFields = (fields: ApplicationFields): ApplicationFields => pick(applicationRecord, fields)
/** Waits for no replica: the server's answer is kept as a receipt. */
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
    cameFrom: 'string?',
    finishedAt: 'instant?',
    token: 'string?',
  },
  eventOf: ({ eventId }) => eventId,
  lane: ({ eventId, fields }) => `apply:${eventId}:${fields.email.toLowerCase()}`.slice(0, 80),
  send: ({ id, eventId, fields, website, filledInMs, cameFrom, finishedAt, token }) => ({
    params: { eventId },
    body: { ...pickApplicationFields(fields), id, website, filledInMs, cameFrom, finishedAt, token },
  }),
  withAnswer(args, answer) {
    const { token } = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown>
    return typeof token === 'string' ? { ...args, token } : args
  },
  label: ({ fields, eventName }) => `${fields.firstName} ${fields.lastName} applies for ${eventName}`,
})
