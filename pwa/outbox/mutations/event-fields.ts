import type { EventDocument } from '#shared/sync/replication-calls.ts'
import { customizationRecord, eventRecord } from '#shared/events/event-record.ts'
import type { CustomizationFields, EventFields } from '#shared/events/event-record.ts'
import { edited } from '#shared/events/edit.ts'
import { pick } from '#shared/record/record.ts'
import type { Folded } from './mutation.ts'

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
