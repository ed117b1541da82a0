import * as z from 'zod'
import { experienceChoices } from '#shared/applications/application.ts'
import { customizationRecord, eventRecord } from '#shared/events/event-record.ts'
import { inputOf } from '#shared/record/record-schema.ts'
import applicants from './demo-applicants.json' with { type: 'json' }
import events from './demo-events.json' with { type: 'json' }

/** `startsInDays` and `lasts` are calendar days where the event is; they and `closesDaysBefore` determine its dates. */
const demoEvent = z.strictObject({
  ...inputOf(eventRecord).omit({ startDate: true, endDate: true, applicationsCloseAt: true }).shape,
  ...inputOf(customizationRecord).shape,
  organizer: z.enum(['olivia', 'otto']),
  startsInDays: z.int(),
  lasts: z.int(),
  timeZone: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  closesDaysBefore: z.int().optional(),
})
type DemoEvent = z.infer<typeof demoEvent>
export type DemoEventKey = keyof typeof events

const demoApplicant = z.strictObject({
  event: z.enum(Object.keys(events) as DemoEventKey[]),
  name: z.tuple([z.string(), z.string()]),
  /** The mailbox is before @example.com, and made of the name when it is missing. */
  mailbox: z.string().optional(),
  phone: z.string().optional(),
  linkedin: z.boolean().optional(),
  /** A job is a title and a company. */
  job: z.tuple([z.string(), z.string()]).optional(),
  experience: z.enum(experienceChoices),
  expertise: z.string(),
  topics: z.string().optional(),
  post: z.string().optional(),
  why: z.string(),
  style: z.string(),
  bio: z.string(),
  /** The application is this old. */
  hoursAgo: z.number(),
  /** The oldest comes first; an empty list means pending. */
  decided: z.array(z.enum(['approved', 'rejected'])).default([]),
  /** The applicant withdrew, so it is rejected without a decision of the organizer. */
  withdrawn: z.boolean().default(false),
  /** Answers come in the order of the event's own questions. */
  answers: z.array(z.string()).default([]),
})
export type DemoApplicant = z.infer<typeof demoApplicant>

export interface DemoData {
  readonly events: Readonly<Record<DemoEventKey, DemoEvent>>
  readonly applicants: readonly DemoApplicant[]
}

/**
 * The venues and their ZIP codes are real; the events are invented.
 * @throws when the data does not have the shape it needs
 */
export function readDemoData(): DemoData {
  return {
    events: z.record(z.string(), demoEvent).parse(events) as DemoData['events'],
    applicants: z.array(demoApplicant).parse(applicants),
  }
}
