import type { CustomizationFields } from '#shared/events/event.ts'
import { foldEdit, pickCustomizationFields } from './event-fields.ts'
import { defineMutation, eventTarget, expectedEdition, ofEvent } from './mutation.ts'

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
  shape: { id: 'number', name: 'string', fields: 'object', expectedEdition: 'number' },
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
