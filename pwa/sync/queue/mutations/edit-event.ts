import { edited } from '#shared/events/edit.ts'
import {
  type CustomizationFields,
  customizationRecord,
  type EventFields,
  eventRecord,
  pickCustomizationFields,
  pickEventFields,
} from '#shared/events/event-record.ts'
import { defineMutation, eventTarget, type Folded, ofEvent, textOrNull, valuesOf } from './mutation.ts'

export function foldEdit(
  { events }: Folded,
  id: number,
  fields: EventFields | CustomizationFields,
  state: string,
): void {
  const key = String(id)
  const document = events.get(key)
  if (document && document.basis !== state) events.set(key, edited(document, fields, state))
}

function hasFields({ events }: Folded, id: number, fields: EventFields | CustomizationFields): boolean {
  const document: object | undefined = events.get(String(id))
  return document !== undefined && JSON.stringify({ ...document, ...fields }) === JSON.stringify(document)
}

export interface UpdateEvent {
  readonly id: number
  readonly fields: EventFields
  readonly basis: string | null
  /** Goes into the mail to Beacons about a new time or place. */
  readonly note?: string | undefined
}

export const updateEvent = defineMutation<UpdateEvent>({
  ...ofEvent,
  name: 'update-event',
  route: 'updateEvent',
  shape: { id: 'number', fields: valuesOf(eventRecord), basis: textOrNull, note: 'string?' },
  send: ({ id, fields, note }) => ({
    params: { id },
    body: { ...pickEventFields(fields), ...(note && { changeNote: note }) },
  }),
  fold: (folded, { id, fields }, key) => foldEdit(folded, id, pickEventFields(fields), key),
  isAlready: (folded, { id, fields }) => hasFields(folded, id, pickEventFields(fields)),
  target: ({ id }) => eventTarget(id),
  label: ({ fields }) => `Edit ${fields.name}`,
  changesState: true,
})

export interface CustomizeEvent {
  readonly id: number
  readonly name: string
  readonly fields: CustomizationFields
  readonly basis: string | null
}

export const customizeEvent = defineMutation<CustomizeEvent>({
  ...ofEvent,
  name: 'customize-event',
  route: 'customizeEvent',
  shape: { id: 'number', name: 'string', fields: valuesOf(customizationRecord), basis: textOrNull },
  send: ({ id, fields }) => ({ params: { eventId: id }, body: pickCustomizationFields(fields) }),
  fold: (folded, { id, fields }, key) => foldEdit(folded, id, pickCustomizationFields(fields), key),
  isAlready: (folded, { id, fields }) => hasFields(folded, id, pickCustomizationFields(fields)),
  target: ({ id }) => eventTarget(id),
  label: ({ name }) => `Customize ${name}`,
  changesState: true,
})
