import * as z from 'zod'
import { applicationFields, customAnswer } from '#shared/domain/application.ts'
import { applicationStatuses } from '#shared/domain/application-status.ts'
import { idInPath } from './events.ts'
import type { Section } from './route.ts'

/** An approved Beacon as anyone may see them. */
export const publicBeacon = z.strictObject({
  id: z.int(),
  eventId: z.int(),
  firstName: z.string(),
  lastName: z.string(),
  company: z.string().nullable(),
  jobTitle: z.string().nullable(),
  bio: z.string(),
  linkedinUrl: z.string().nullable(),
})
export type PublicBeacon = z.output<typeof publicBeacon>

/** An application as the event's organizer sees it. `decisionNumber` counts decisions, 0 while none was made. */
export const application = z.strictObject({
  ...publicBeacon.shape,
  email: z.string(),
  phone: z.string().nullable(),
  experience: z.string(),
  expertise: z.string(),
  whyBeacon: z.string(),
  networkingStyle: z.string(),
  customAnswers: z.array(customAnswer),
  status: z.enum(applicationStatuses),
  decisionNumber: z.int(),
  decidedAt: z.string().nullable(),
  /** The name of the device the last decision was made on, as its owner gave it. */
  decidedOn: z.string().nullable(),
  withdrawnAt: z.string().nullable(),
  createdAt: z.string(),
})
export type Application = z.output<typeof application>

export const applicationRoutes = {
  listBeacons: {
    summary: 'Approved Beacons of an event',
    access: 'anyone',
    params: z.strictObject({ id: idInPath }),
    answer: z.array(publicBeacon),
    status: 200,
  },
  listApplications: {
    summary: 'All applications for an event',
    access: 'owner',
    params: z.strictObject({ id: idInPath }),
    answer: z.array(application),
    status: 200,
  },
  applyAsBeacon: {
    summary: 'Apply to be a Beacon',
    access: 'anyone',
    params: z.strictObject({ eventId: idInPath }),
    body: z.strictObject({
      ...applicationFields.shape,
      /** Left empty by people; a program that fills every field gives itself away. */
      website: z.string().max(200).optional(),
      /** How long the form was open, in milliseconds. */
      filledInMs: z.int().min(0).optional(),
    }),
    /** The public part, and the token of the applicant's own page. A duplicate is refused with `duplicate_application`. */
    answer: z.strictObject({
      id: z.int(),
      eventId: z.int(),
      firstName: z.string(),
      lastName: z.string(),
      status: z.literal('pending'),
      token: z.string(),
    }),
    status: 201,
    queueable: true,
    repeatable: 'key',
  },
  decideApplication: {
    summary: 'Approve, reject or revoke',
    access: 'owner',
    params: z.strictObject({ beaconId: idInPath }),
    body: z.strictObject({
      status: z.enum(['approved', 'rejected']),
      /** The decision number this decision was made on; another one is a conflict unless the wish is already fulfilled. */
      expectedDecisionNumber: z.int().min(0).optional(),
    }),
    answer: application,
    status: 200,
    queueable: true,
    repeatable: 'key',
  },
} as const satisfies Section
