import * as z from 'zod'
import { experienceChoices } from '#shared/applications/application.ts'
import { usStates } from '#shared/places/us-states.ts'
import applicants from './demo-applicants.json' with { type: 'json' }
import events from './demo-events.json' with { type: 'json' }

/** An event of the demo; `startsInDays` and `lasts` are calendar days where the event is. */
const demoEvent = z.strictObject({
  organizer: z.enum(['olivia', 'otto']),
  name: z.string(),
  description: z.string(),
  startsInDays: z.int(),
  lasts: z.int(),
  startTime: z.string().nullable(),
  endTime: z.string().nullable(),
  location: z.string(),
  address: z.string(),
  city: z.string(),
  state: z.enum(usStates).nullable(),
  zipCode: z.string(),
  timeZone: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  registrationUrl: z.url().nullable(),
  beaconIncentives: z.string(),
  beaconInstructions: z.string().optional(),
  promoCode: z.string().optional(),
  emailSubject: z.string().optional(),
  emailBody: z.string().optional(),
  customQuestions: z.array(z.string()).default([]),
  showDefaultQuestions: z.boolean().default(true),
  maxBeacons: z.int().optional(),
  closesDaysBefore: z.int().optional(),
})
type DemoEvent = z.infer<typeof demoEvent>
export type DemoEventKey = keyof typeof events

/** An applicant of the demo. These people do not exist; the texts are written for it. */
const demoApplicant = z.strictObject({
  event: z.enum(Object.keys(events) as DemoEventKey[]),
  name: z.tuple([z.string(), z.string()]),
  /** The part of the address before @example.com; made of the name when missing. */
  mailbox: z.string().optional(),
  phone: z.string().optional(),
  linkedin: z.boolean().optional(),
  /** Title and company. */
  job: z.tuple([z.string(), z.string()]).optional(),
  experience: z.enum(experienceChoices),
  expertise: z.string(),
  why: z.string(),
  style: z.string(),
  bio: z.string(),
  /** How long before now the application arrived. */
  hoursAgo: z.number(),
  /** The decisions taken since, oldest first; none: pending. */
  decided: z.array(z.enum(['approved', 'rejected'])).default([]),
  /** Withdrawn by the applicant: rejected without a decision of the organizer. */
  withdrawn: z.boolean().default(false),
  /** Answers to the event's own questions, in their order. */
  answers: z.array(z.string()).default([]),
})
export type DemoApplicant = z.infer<typeof demoApplicant>

export interface DemoData {
  readonly events: Readonly<Record<DemoEventKey, DemoEvent>>
  readonly applicants: readonly DemoApplicant[]
}

/**
 * What a demo is filled with. The venues are real, with their real ZIP codes; the events themselves are invented.
 * @throws when the data does not have the shape it needs
 */
export function readDemoData(): DemoData {
  return {
    events: z.record(z.string(), demoEvent).parse(events) as DemoData['events'],
    applicants: z.array(demoApplicant).parse(applicants),
  }
}
