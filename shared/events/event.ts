import type * as z from 'zod'
import { customizationRecord, eventRecord, type EventFields } from './event-record.ts'
import { inputOf } from '../record/record-schema.ts'

export type { CustomizationFields, EventFields } from './event-record.ts'

export const eventFields = inputOf(eventRecord)

/** The end before the start, or an end time not after the start time of the same day. */
export function eventDateIssues(
  event: Pick<EventFields, 'startDate' | 'endDate' | 'startTime' | 'endTime'>,
): { path: ['endDate'] | ['endTime']; message: string }[] {
  if (event.endDate < event.startDate) {
    return [{ path: ['endDate'], message: 'The end date must not be before the start date' }]
  }
  if (event.endDate === event.startDate && event.startTime && event.endTime && event.endTime <= event.startTime) {
    return [{ path: ['endTime'], message: 'The end time must be after the start time' }]
  }
  return []
}

export function refuseDates(event: Parameters<typeof eventDateIssues>[0], context: z.RefinementCtx): void {
  for (const issue of eventDateIssues(event)) context.addIssue({ code: 'custom', ...issue })
}

/** Of a form, and the body of an update. */
export const datedEventFields = eventFields.superRefine(refuseDates)

export const customizationFields = inputOf(customizationRecord)
