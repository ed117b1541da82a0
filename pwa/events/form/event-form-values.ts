import { eventRecord } from '#shared/events/event-record.ts'
import { eventDateIssues, eventFields, type EventFields } from '#shared/events/event.ts'
import { emptyForm, namesOf, type TypedValues } from '#shared/record/record.ts'

/** What the event form checks: every field by itself, then the dates against each other. */
export const eventFormSchema = eventFields.superRefine((event, context) => {
  for (const issue of eventDateIssues(event)) context.addIssue({ code: 'custom', ...issue })
})

/** The form's own values, as typed: texts stay texts until the schema has read them. */
export type EventFormValues = Required<TypedValues<typeof eventRecord>>

/** An empty form. Inputs hold empty text where the event will have null. */
export const emptyEventForm: EventFormValues = emptyForm(eventRecord)

const fieldNames = namesOf(eventRecord)

/** An event as far as the form cares; the replica does not know the states by name. */
type EventLike = Partial<Omit<EventFields, 'state'>> & { readonly state?: string | null }

/** The form filled with an event (or with what was wanted of it): null becomes empty text where a text is typed. */
export function eventFormValues(event: EventLike): EventFormValues {
  const values: Record<string, unknown> = { ...emptyEventForm }
  for (const name of fieldNames) if (event[name] !== undefined && event[name] !== null) values[name] = event[name]
  return values as EventFormValues
}
