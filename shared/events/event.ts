import type * as z from 'zod'
import { customizationRecord, eventRecord, type EventFields } from './event-record.ts'
import { inputOf } from '../record/record-schema.ts'

export type { CustomizationFields, EventFields } from './event-record.ts'

export const eventFields = inputOf(eventRecord)

/** An end time at or before the start time is the next day's, and is no mistake. */
export function refuseDates(event: Pick<EventFields, 'startDate' | 'endDate'>, context: z.RefinementCtx): void {
  if (event.endDate >= event.startDate) return
  context.addIssue({ code: 'custom', path: ['endDate'], message: 'The end date must not be before the start date' })
}

export const datedEventFields = eventFields.superRefine(refuseDates)

export const customizationFields = inputOf(customizationRecord)
