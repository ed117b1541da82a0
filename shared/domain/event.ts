import * as z from 'zod'
import { optionalText, optionalWebAddress, requiredText } from './text.ts'
import { usStates } from './us-states.ts'

/** A calendar day as text, `2026-03-01`; never a Date, which would move it across time zones. */
export function calendarDate(message: string) {
  return z.string({ error: message }).min(1, message).refine(isCalendarDate, 'Please enter a valid date')
}

/** Whether a text names a day that exists. */
export function isCalendarDate(value: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value)
  if (!match) return false
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

const clockTime = z
  .string()
  .trim()
  .nullish()
  .transform((value) => value || null)
  .pipe(
    z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Please enter a time like 18:30')
      .nullable(),
  )

/** The fields of the event form, which are also the body of create and update. */
export const eventFields = z.strictObject({
  name: requiredText(160),
  description: requiredText(8000),
  startDate: calendarDate('Start date is required'),
  endDate: calendarDate('End date is required'),
  startTime: clockTime,
  endTime: clockTime,
  location: requiredText(200),
  address: requiredText(300),
  city: optionalText(100),
  state: z
    .string()
    .nullish()
    .transform((value) => value || null)
    .pipe(z.enum(usStates, 'Please choose a state').nullable()),
  zipCode: z
    .string()
    .trim()
    .max(5, 'A ZIP code has 5 digits')
    .nullish()
    .transform((value) => value || null)
    .pipe(
      z
        .string()
        .regex(/^\d{5}$/, 'A ZIP code has 5 digits')
        .nullable(),
    ),
  registrationUrl: optionalWebAddress('Please enter a web address that starts with https://'),
  beaconIncentives: requiredText(4000),
  beaconInstructions: optionalText(4000),
  promoCode: optionalText(80),
  applicationsCloseAt: z.iso
    .datetime({ offset: true, error: 'Please enter a valid date and time' })
    .nullish()
    .transform((value) => value || null),
  maxBeacons: z
    .int('Please enter a whole number')
    .min(1)
    .max(10_000)
    .nullish()
    .transform((value) => value ?? null),
  applicationsClosed: z.boolean().default(false),
})

/**
 * What is wrong between an event's dates and times: the end before the start, or an end time that is not after the
 * start time of the same day.
 */
export function eventDateIssues(
  event: Pick<z.output<typeof eventFields>, 'startDate' | 'endDate' | 'startTime' | 'endTime'>,
): { path: ['endDate'] | ['endTime']; message: string }[] {
  if (event.endDate < event.startDate) {
    return [{ path: ['endDate'], message: 'The end date must not be before the start date' }]
  }
  if (event.endDate === event.startDate && event.startTime && event.endTime && event.endTime <= event.startTime) {
    return [{ path: ['endTime'], message: 'The end time must be after the start time' }]
  }
  return []
}

export type EventFields = z.output<typeof eventFields>

/** Characters of an approval mail's own text: with what the placeholders stand for, about what one mail holds. */
export const longestTemplateBody = 4_000

/** What the Customize screen sets. Blank texts mean the default template. */
export const customizationFields = z.strictObject({
  customBeaconEmailSubject: optionalText(200),
  customBeaconEmailBody: optionalText(longestTemplateBody),
  customQuestions: z.array(z.string().trim().min(1).max(500)).max(30, 'At most 30 questions'),
  showDefaultQuestions: z.boolean().default(true),
})
export type CustomizationFields = z.output<typeof customizationFields>
