import { walkInFields, type WalkIn } from '#shared/applications/walk-in.ts'
import { timings } from '../../../browser/timings.ts'
import type { Target } from './mutation.ts'
import { defineMutation, textOrNull } from './mutation.ts'

export interface AddWalkIn extends WalkIn {
  /** `newId` makes it. */
  readonly id: number
  readonly eventId: number
  /** This is an ISO instant. */
  readonly seenAt: string
}

const nameOf = ({ firstName, lastName }: WalkIn) => `${firstName} ${lastName}`.trim()

/** The device makes the id, so that notes, posts and a later revocation can follow before it has left. */
export const addWalkIn = defineMutation<AddWalkIn>({
  name: 'add-walk-in',
  route: 'addWalkIn',
  holdMs: timings.undoMs,
  shape: {
    id: 'number',
    eventId: 'number',
    firstName: 'string',
    lastName: 'string',
    company: textOrNull,
    email: 'string',
    seenAt: 'instant',
  },
  eventOf: ({ eventId }) => eventId,
  lane: ({ id }) => `application:${id}`,
  send: ({ id, eventId, firstName, lastName, company, email, seenAt }) => ({
    params: { id: eventId },
    body: { id, firstName, lastName, company, email, seenAt },
  }),
  fold({ applications }, { id, eventId, seenAt, ...person }, state) {
    const key = String(id)
    if (applications.get(key)) return
    applications.set(key, {
      key,
      version: 0,
      id,
      eventId,
      ...walkInFields(person),
      status: 'approved',
      basis: state,
      decisionNumber: 1,
      decidedAt: seenAt,
      decidedOn: null,
      withdrawnAt: null,
      decisions: [],
      note: null,
      starred: false,
      walkedIn: true,
      arrivedAt: seenAt,
      createdAt: seenAt,
    })
  },
  target: ({ id }): Target => ({ collection: 'applications', key: String(id), effect: 'create' }),
  label: (person) => `Take in ${nameOf(person)}`,
  written: ({ company, email }) => ({ Company: company, Email: email }),
  changesState: true,
})
