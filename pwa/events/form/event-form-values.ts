import { eventRecord } from '#shared/events/event-record.ts'
import type { EventFields } from '#shared/events/event.ts'
import { emptyForm, isCalendarDate, namesOf, type TypedValues } from '#shared/record/record.ts'
import { formatDateRange } from '#shared/time/date-range.ts'

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

/** Is null without a start; an end that is missing or too early is left out. */
export function writtenDays({ startDate, endDate }: Pick<EventFormValues, 'startDate' | 'endDate'>): string | null {
  if (!isCalendarDate(startDate)) return null
  return formatDateRange(startDate, isCalendarDate(endDate) && endDate >= startDate ? endDate : startDate)
}
