import { hasShape } from './args-shape.ts'
import type { Mutation } from './mutation.ts'

export interface DeleteEvent {
  readonly id: number
  /** The event's name, for the label only. */
  readonly name: string
}

/** Delete an event with all its applications. */
export const deleteEvent: Mutation<DeleteEvent> = {
  name: 'delete-event',
  argsVersion: 1,
  route: 'deleteEvent',
  holdMs: 0,
  accepts: (args) => hasShape(args, { id: 'number', name: 'string' }),
  eventOf: ({ id }) => id,
  closesEvent: true,
  lane: ({ id }) => `event:${id}`,
  send: ({ id }) => ({ params: { id } }),
  fold({ events, applications }, { id }) {
    events.delete(String(id))
    for (const [key, application] of applications) {
      if (application.eventId === id) applications.delete(key)
    }
  },
  target: ({ id }) => ({ collection: 'events', key: String(id), effect: 'delete' }),
  label: ({ name }) => `Delete ${name}`,
  missingIsSuccess: true,
  upcast: (args) => args as DeleteEvent,
}
