import { hasShape } from '../args-shape.ts'
import type { Mutation } from '../mutation.ts'

export interface MarkApplication {
  readonly applicationId: number
  readonly eventId: number
  /** Names the application for ever; absent where the server did not say. */
  readonly origin?: string
  /** First and last name, for the label only. */
  readonly name: string
  /** One of the three is given: what the organizer wrote, starred, or saw. Empty text removes the note. */
  readonly note?: string
  readonly starred?: boolean
  readonly present?: boolean
  /** When the Beacon was seen, with `present` (ISO). */
  readonly seenAt?: string
}

/**
 * The organizer's own marks. A note and a star depend on nothing, so they have a lane of their own and wait for no decision;
 * "here today" leaves behind the approval it relies on.
 */
export const markApplication: Mutation<MarkApplication> = {
  name: 'mark-application',
  argsVersion: 1,
  route: 'markApplication',
  holdMs: 0,
  accepts: (args) =>
    hasShape(args, {
      applicationId: 'number',
      eventId: 'number',
      name: 'string',
      note: 'string?',
      starred: 'boolean?',
      present: 'boolean?',
      seenAt: 'string?',
      origin: 'string?',
    }),
  eventOf: ({ eventId }) => eventId,
  lane: ({ applicationId, present }) => `${present === undefined ? 'marks' : 'application'}:${applicationId}`,
  send: ({ applicationId, note, starred, present, seenAt, origin }) => ({
    params: { beaconId: applicationId },
    body: {
      ...(note === undefined ? {} : { note }),
      ...(starred === undefined ? {} : { starred }),
      ...(present === undefined ? {} : { present }),
      ...(seenAt === undefined ? {} : { seenAt }),
      ...(origin === undefined ? {} : { origin }),
    },
  }),
  fold({ applications }, { applicationId, note, starred, present, seenAt }) {
    const key = String(applicationId)
    const document = applications.get(key)
    if (!document) return
    applications.set(key, {
      ...document,
      ...(note === undefined ? {} : { note: note.trim() || null }),
      ...(starred === undefined ? {} : { starred }),
      ...(present === undefined ? {} : { arrivedAt: present ? (seenAt ?? null) : null }),
    })
  },
  target: ({ applicationId }) => ({ collection: 'applications', key: String(applicationId), effect: 'change' }),
  label({ name, note, starred, present }) {
    if (present !== undefined) return present ? `${name} is here today` : `${name} is not here`
    if (starred !== undefined) return starred ? `Star ${name}` : `Remove the star of ${name}`
    return note?.trim() ? `Note about ${name}` : `Remove the note about ${name}`
  },
  upcast: (args) => args as MarkApplication,
}
