import type { CustomizationFields, EventFields } from '#shared/events/event.ts'
import {
  customizationRecord,
  eventRecord,
  pickCustomizationFields,
  pickEventFields,
} from '#shared/events/event-record.ts'
import { created } from '#shared/events/create.ts'
import { isTimeZone } from '#shared/time/event-time.ts'
import { defineMutation, eventTarget, ofEvent, optional, valuesOf } from './mutation.ts'

export interface CreateEvent {
  readonly id: number
  readonly organizerId: number
  readonly fields: EventFields
  /** An event that was used as template gave it. */
  readonly customization?: CustomizationFields
  /** The phone guesses it. */
  readonly timeZone: string
  readonly createdAt: string
}

/** The device makes the id, so that the event's address is final from the start. */
export const createEvent = defineMutation<CreateEvent>({
  ...ofEvent,
  name: 'create-event',
  route: 'createEvent',
  shape: {
    id: 'number',
    organizerId: 'number',
    fields: valuesOf(eventRecord),
    customization: optional(valuesOf(customizationRecord)),
    timeZone: isTimeZone,
    createdAt: 'instant',
  },
  send: ({ id, fields, customization }) => ({
    body: {
      ...pickEventFields(fields),
      ...(customization ? pickCustomizationFields(customization) : {}),
      id,
    },
  }),
  fold({ events }, { id, organizerId, fields, customization, timeZone, createdAt }, state) {
    const key = String(id)
    // The server's own document has its zone, place and edition.
    if (events.get(key)) return
    const event = created({
      organizerId,
      fields,
      customization,
      timeZone,
      latitude: null,
      longitude: null,
      createdAt,
      state,
    })
    events.set(key, { key, version: 0, id, ...event })
  },
  target: ({ id }) => eventTarget(id, 'create'),
  label: ({ fields }) => `Create ${fields.name}`,
  changesState: true,
})
