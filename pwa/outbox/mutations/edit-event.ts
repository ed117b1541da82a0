import { edited } from '#shared/events/edit.ts'
import {
  type CustomizationFields,
  customizationRecord,
  type EventFields,
  eventRecord,
} from '#shared/events/event-record.ts'
import { pick } from '#shared/record/record.ts'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { defineMutation, eventTarget, expectedEdition, type Folded, ofEvent, valuesOf } from './mutation.ts'

/** Exactly the fields of the event form, whatever else an object carries. */
export const pickEventFields = (fields: EventFields): EventFields => pick(eventRecord, fields)

/** The form's fields of an event that is there. */
export const eventFieldsOf = (event: EventDocument): EventFields => pick(eventRecord, event)

/** Exactly the fields of the Customize screen. */
export const pickCustomizationFields = (fields: CustomizationFields): CustomizationFields =>
  pick(customizationRecord, fields)

/** Folds an edit of some of an event's fields. */
export function foldEdit(
  { events }: Folded,
  id: number,
  fields: EventFields | CustomizationFields,
  expectedEdition: number,
): void {
  const key = String(id)
  const document = events.get(key)
  if (document) events.set(key, edited(document, fields, expectedEdition))
}

export interface UpdateEvent {
  readonly id: number
  readonly fields: EventFields
  readonly expectedEdition: number
}

/** Save the event form. */
export const updateEvent = defineMutation<UpdateEvent>({
  ...ofEvent,
  name: 'update-event',
  route: 'updateEvent',
  shape: { id: 'number', fields: valuesOf(eventRecord), expectedEdition: 'number' },
  send: ({ id, fields, expectedEdition }) => ({
    params: { id },
    body: { ...pickEventFields(fields), expectedEdition },
  }),
  fold: (folded, { id, fields, expectedEdition }) => foldEdit(folded, id, pickEventFields(fields), expectedEdition),
  target: ({ id }) => eventTarget(id),
  label: ({ fields }) => `Edit ${fields.name}`,
  expected: expectedEdition,
})

export interface CustomizeEvent {
  readonly id: number
  /** The event's name, for the label only. */
  readonly name: string
  readonly fields: CustomizationFields
  readonly expectedEdition: number
}

/** Save an event's e-mail template and questions. */
export const customizeEvent = defineMutation<CustomizeEvent>({
  ...ofEvent,
  name: 'customize-event',
  route: 'customizeEvent',
  shape: { id: 'number', name: 'string', fields: valuesOf(customizationRecord), expectedEdition: 'number' },
  send: ({ id, fields, expectedEdition }) => ({
    params: { eventId: id },
    body: { ...pickCustomizationFields(fields), expectedEdition },
  }),
  fold: (folded, { id, fields, expectedEdition }) =>
    foldEdit(folded, id, pickCustomizationFields(fields), expectedEdition),
  target: ({ id }) => eventTarget(id),
  label: ({ name }) => `Customize ${name}`,
  expected: expectedEdition,
})
