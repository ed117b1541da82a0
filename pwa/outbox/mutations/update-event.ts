import type { EventFields } from '#shared/events/event.ts'
import { foldEdit, pickEventFields } from './event-fields.ts'
import { defineMutation, eventTarget, expectedEdition, ofEvent } from './mutation.ts'

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
  shape: { id: 'number', fields: { name: 'string' }, expectedEdition: 'number' },
  send: ({ id, fields, expectedEdition }) => ({
    params: { id },
    body: { ...pickEventFields(fields), expectedEdition },
  }),
  fold: (folded, { id, fields, expectedEdition }) => foldEdit(folded, id, pickEventFields(fields), expectedEdition),
  target: ({ id }) => eventTarget(id),
  label: ({ fields }) => `Edit ${fields.name}`,
  expected: expectedEdition,
})
