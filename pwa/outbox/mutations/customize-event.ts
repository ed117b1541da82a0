import type { CustomizationFields } from '#shared/events/event.ts'
import { edited } from '#shared/events/edit.ts'
import { hasShape } from './args-shape.ts'
import { countIn, type Mutation } from './mutation.ts'
import { pickCustomizationFields } from './event-fields.ts'

export interface CustomizeEvent {
  readonly id: number
  /** The event's name, for the label only. */
  readonly name: string
  readonly fields: CustomizationFields
  readonly expectedEdition: number
}

/** Save an event's e-mail template and questions. */
export const customizeEvent: Mutation<CustomizeEvent> = {
  name: 'customize-event',
  argsVersion: 1,
  route: 'customizeEvent',
  holdMs: 0,
  accepts: (args) => hasShape(args, { id: 'number', name: 'string', fields: 'object', expectedEdition: 'number' }),
  eventOf: ({ id }) => id,
  lane: ({ id }) => `event:${id}`,
  send: ({ id, fields, expectedEdition }) => ({
    params: { eventId: id },
    body: { ...pickCustomizationFields(fields), expectedEdition },
  }),
  fold({ events }, { id, fields, expectedEdition }) {
    const key = String(id)
    const document = events.get(key)
    if (document) events.set(key, edited(document, pickCustomizationFields(fields), expectedEdition))
  },
  target: ({ id }) => ({ collection: 'events', key: String(id), effect: 'change' }),
  label: ({ name }) => `Customize ${name}`,
  expected: {
    of: (args) => args.expectedEdition,
    with: (args, expectedEdition) => ({ ...args, expectedEdition }),
    current: (document) => countIn(document, 'edition'),
    result: (args) => args.expectedEdition + 1,
  },
  upcast: (args) => args as CustomizeEvent,
}
