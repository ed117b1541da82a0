import type { EventFields } from '#shared/events/event.ts'
import { edited } from '#shared/events/edit.ts'
import { hasShape } from './args-shape.ts'
import { countIn, type Mutation } from './mutation.ts'
import { pickEventFields } from './event-fields.ts'

export interface UpdateEvent {
  readonly id: number
  readonly fields: EventFields
  readonly expectedEdition: number
}

/** Save the event form. */
export const updateEvent: Mutation<UpdateEvent> = {
  name: 'update-event',
  argsVersion: 1,
  route: 'updateEvent',
  holdMs: 0,
  accepts: (args) =>
    hasShape(args, { id: 'number', fields: 'object', expectedEdition: 'number' }) &&
    hasShape((args as { fields?: unknown }).fields, { name: 'string' }),
  eventOf: ({ id }) => id,
  lane: ({ id }) => `event:${id}`,
  send: ({ id, fields, expectedEdition }) => ({
    params: { id },
    body: { ...pickEventFields(fields), expectedEdition },
  }),
  fold({ events }, { id, fields, expectedEdition }) {
    const key = String(id)
    const document = events.get(key)
    if (document) events.set(key, edited(document, pickEventFields(fields), expectedEdition))
  },
  target: ({ id }) => ({ collection: 'events', key: String(id), effect: 'change' }),
  label: ({ fields }) => `Edit ${fields.name}`,
  expected: {
    of: (args) => args.expectedEdition,
    with: (args, expectedEdition) => ({ ...args, expectedEdition }),
    current: (document) => countIn(document, 'edition'),
    result: (args) => args.expectedEdition + 1,
  },
  upcast: (args) => args as UpdateEvent,
}
