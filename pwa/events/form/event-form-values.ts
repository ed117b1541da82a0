import { eventRecord } from '#shared/events/event-record.ts'
import type { EventFields } from '#shared/events/event.ts'
import { emptyForm, namesOf, type TypedValues } from '#shared/record/record.ts'

/** Texts stay texts until the schema has read them. */
export type EventFormValues = Required<TypedValues<typeof eventRecord>>

/** Inputs hold empty text where the event has null. */
export const emptyEventForm: EventFormValues = emptyForm(eventRecord)

const fieldNames = namesOf(eventRecord)

/** The replica does not know the states by name. */
type EventLike = Partial<Omit<EventFields, 'state'>> & { readonly state?: string | null }

export function eventFormValues(event: EventLike): EventFormValues {
  const values: Record<string, unknown> = { ...emptyEventForm }
  for (const name of fieldNames) if (event[name] !== undefined && event[name] !== null) values[name] = event[name]
  return values as EventFormValues
}
