import * as z from 'zod'
import { applicationRecord, publicFields } from '#shared/applications/application-record.ts'
import { applicationFields, longestNote } from '#shared/applications/application.ts'
import { documentOf } from '#shared/record/record-schema.ts'
import { applicationStatuses } from '#shared/applications/decide.ts'
import { givenId, idInPath } from '../events/event-calls.ts'
import type { Section } from '../contract/route.ts'

/** An approved Beacon as anyone may see them. */
const publicBeacon = z.strictObject({
  id: z.int(),
  eventId: z.int(),
  ...documentOf(applicationRecord, 'anyone').shape,
})
export type PublicBeacon = z.output<typeof publicBeacon>

/** One line of an application's history. `device` is the device's name as its owner gave it. */
const decisionMade = z.strictObject({
  number: z.int(),
  from: z.enum(applicationStatuses),
  to: z.enum(applicationStatuses),
  at: z.string(),
  device: z.string().nullable(),
  /** Withdrawing is the applicant's own decision. */
  by: z.enum(['organizer', 'applicant']),
})
export type DecisionMade = z.output<typeof decisionMade>

/** A private note that stood before another one; `device` and `at` are those of its writing, null where unknown. */
const otherNote = z.strictObject({
  note: z.string(),
  at: z.string().nullable(),
  device: z.string().nullable(),
})

/** An application as the event's organizer sees it. `decisionNumber` counts decisions, 0 while none was made. */
export const application = z.strictObject({
  ...publicBeacon.shape,
  ...documentOf(applicationRecord, 'organizer').shape,
  status: z.enum(applicationStatuses),
  /** Names the state after the latest decision; null before the first. */
  basis: z.string().nullable(),
  decisionNumber: z.int(),
  decidedAt: z.string().nullable(),
  /** The name of the device the last decision was made on, as its owner gave it. */
  decidedOn: z.string().nullable(),
  withdrawnAt: z.string().nullable(),
  /** The latest five decisions, oldest first. One that was changed while its mail was held gave its place to the next. */
  decisions: z.array(decisionMade),
  /** The organizer's private note: never public, never shown to the applicant. */
  note: z.string().nullable(),
  /** Notes of other phones that one was written over without having seen them, newest first; missing when there is none. */
  otherNotes: z.array(otherNote).optional(),
  /** What guests read of an approved Beacon that is not what the organizer approved; missing when nothing is. */
  publicChanges: z
    .strictObject({
      /** When the Beacon changed something last. */
      at: z.string(),
      changes: z.array(z.strictObject({ field: z.enum(publicFields), was: z.string().nullable() })),
    })
    .optional(),
  starred: z.boolean(),
  /** When the organizer saw an approved Beacon arrive. */
  arrivedAt: z.string().nullable(),
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
    summary: 'All applications for an event, at most 2 MB; a header Link with rel="next" leads to more of them',
    access: 'owner',
    params: z.strictObject({ id: idInPath }),
    query: z.strictObject({ after: idInPath.optional() }),
    answer: z.array(application),
    status: 200,
  },
  applyAsBeacon: {
    summary: 'Apply to be a Beacon',
    access: 'anyone',
    params: z.strictObject({ eventId: idInPath }),
    body: z.strictObject({
      ...applicationFields.shape,
      /** Made by the caller; without it the server makes one. */
      id: givenId.optional(),
      /** The token of the first answer, with an application that is sent again after a restore: it was taken before. */
      token: z.string().min(1).max(100).optional(),
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
      status: z.enum(applicationStatuses),
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
      /** False keeps the mail about a pending application's rejection from being written. */
      tellApplicant: z.boolean().optional(),
    }),
    answer: application,
    status: 200,
    queueable: true,
    repeatable: 'key',
    changesState: true,
  },
  markApplication: {
    summary: "The organizer's own marks: a private note, a star, here today. Each field's newest word stands",
    access: 'owner',
    params: z.strictObject({ beaconId: idInPath }),
    body: z
      .strictObject({
        note: z.string().trim().max(longestNote, `Please keep this under ${longestNote} characters`).optional(),
        /** With `note`: what its writer saw there, null for none. Another note that stands there is kept in `otherNotes`. */
        noteOver: z.string().max(longestNote).nullable().optional(),
        /** Removes one of `otherNotes`. */
        forgetNote: z.string().max(longestNote).optional(),
        /** The `at` of the `publicChanges` the organizer has seen and agrees to. */
        changesSeen: z.string().max(40).optional(),
        starred: z.boolean().optional(),
        /** Only an approved Beacon can be here. */
        present: z.boolean().optional(),
        /** When the Beacon was seen, with `present`: the phone may have been without a network since. */
        seenAt: z.iso.datetime({ offset: true }).optional(),
      })
      .refine(
        ({ note, starred, present, forgetNote, changesSeen }) =>
          [note, starred, present, forgetNote, changesSeen].some((mark) => mark !== undefined),
        { message: 'Nothing to mark' },
      ),
    answer: application,
    status: 200,
    queueable: true,
    repeatable: 'key',
  },
  listDecisions: {
    summary: 'All decisions on an application, oldest first',
    access: 'owner',
    params: z.strictObject({ beaconId: idInPath }),
    answer: z.array(decisionMade),
    status: 200,
  },
} as const satisfies Section
