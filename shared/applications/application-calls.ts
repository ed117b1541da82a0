import * as z from 'zod'
import { applicationRecord, longestNote, publicFields } from '#shared/applications/application-record.ts'
import { applicationFields } from '#shared/applications/application.ts'
import { documentOf } from '#shared/record/record-schema.ts'
import { applicationStatuses } from '#shared/applications/decide.ts'
import { givenId, idInPath } from '../events/event-calls.ts'
import { viewSources } from '../events/view-source.ts'
import type { Section } from '../contract/route.ts'

const publicBeacon = z.strictObject({
  id: z.int(),
  eventId: z.int(),
  ...documentOf(applicationRecord, 'anyone').shape,
  /** Names the uploaded face at `/pictures/beacons/{id}/{faceHash}.webp`; missing for none. */
  faceHash: z.string().optional(),
})
export type PublicBeacon = z.output<typeof publicBeacon>

/** `device` is the name its owner gave it. */
const decisionMade = z.strictObject({
  number: z.int(),
  from: z.enum(applicationStatuses),
  to: z.enum(applicationStatuses),
  at: z.string(),
  device: z.string().nullable(),
  by: z.enum(['organizer', 'applicant']),
})
export type DecisionMade = z.output<typeof decisionMade>

/** `device` and `at` of its writing, null where unknown. */
const otherNote = z.strictObject({
  note: z.string(),
  at: z.string().nullable(),
  device: z.string().nullable(),
})

/** For the event's organizer. `decisionNumber` counts decisions from 0. */
export const application = z.strictObject({
  ...publicBeacon.shape,
  ...documentOf(applicationRecord, 'organizer').shape,
  status: z.enum(applicationStatuses),
  /** Names the state after the latest decision; null before the first. */
  basis: z.string().nullable(),
  decisionNumber: z.int(),
  decidedAt: z.string().nullable(),
  /** Device of the last decision, as its owner named it. */
  decidedOn: z.string().nullable(),
  withdrawnAt: z.string().nullable(),
  /** The latest five, oldest first. */
  decisions: z.array(decisionMade),
  /** Never public, never shown to the applicant. */
  note: z.string().nullable(),
  /** Other phones' notes, overwritten unseen, newest first. */
  otherNotes: z.array(otherNote).optional(),
  /** What guests read of an approved Beacon that was not approved. */
  publicChanges: z
    .strictObject({
      /** Of the last change. */
      at: z.string(),
      changes: z.array(z.strictObject({ field: z.enum(publicFields), was: z.string().nullable() })),
    })
    .optional(),
  starred: z.boolean(),
  /** When the organizer saw them arrive. */
  arrivedAt: z.string().nullable(),
  /** Whether an approved Beacon will be there; missing until they say. */
  coming: z.boolean().optional(),
  createdAt: z.string(),
})
export type Application = z.output<typeof application>

export const applicationRoutes = {
  listBeacons: { summary: 'Approved Beacons of an event', access: 'anyone', answer: z.array(publicBeacon) },
  listApplications: {
    summary: 'All applications for an event, at most 2 MB; a header Link with rel="next" leads to more of them',
    access: 'owner',
    query: z.strictObject({ after: idInPath.optional() }),
    answer: z.array(application),
  },
  applyAsBeacon: {
    summary: 'Apply to be a Beacon',
    access: 'anyone',
    body: z.strictObject({
      ...applicationFields.shape,
      /** Without it the server makes one. */
      id: givenId.optional(),
      /** Of the first answer, when it is sent again after a restore. */
      token: z.string().min(1).max(100).optional(),
      /** A trap: people leave it empty, programs fill every field. */
      website: z.string().max(200).optional(),
      /** How long the form was open, in milliseconds. */
      filledInMs: z.int().min(0).optional(),
      /** Counted for the organizer, beside no name. */
      cameFrom: z.enum(viewSources).optional(),
    }),
    /** The token opens the applicant's own page. */
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
  },
  decideApplication: {
    summary: 'Approve, reject or revoke',
    access: 'owner',
    body: z.strictObject({
      status: z.enum(['approved', 'rejected']),
      /** False: no mail about a pending application's rejection. */
      tellApplicant: z.boolean().optional(),
    }),
    answer: application,
    queueable: true,
    changesState: true,
  },
  markApplication: {
    summary: "The organizer's own marks: a private note, a star, here today. Each field's newest word stands",
    access: 'owner',
    body: z
      .strictObject({
        note: z.string().trim().max(longestNote, `Please keep this under ${longestNote} characters`).optional(),
        /** With `note`: what its writer saw there, null for none. Another note is kept in `otherNotes`. */
        noteOver: z.string().max(longestNote).nullable().optional(),
        forgetNote: z.string().max(longestNote).optional(),
        /** The `at` of the `publicChanges` that the organizer agrees to. */
        changesSeen: z.string().max(40).optional(),
        starred: z.boolean().optional(),
        /** Only for an approved Beacon. */
        present: z.boolean().optional(),
        /** With `present`: the phone may have been without a network since. */
        seenAt: z.iso.datetime({ offset: true }).optional(),
      })
      .refine(
        ({ note, starred, present, forgetNote, changesSeen }) =>
          [note, starred, present, forgetNote, changesSeen].some((mark) => mark !== undefined),
        { message: 'Nothing to mark' },
      ),
    answer: application,
    queueable: true,
  },
  listDecisions: {
    summary: 'All decisions on an application, oldest first',
    access: 'owner',
    answer: z.array(decisionMade),
  },
} as const satisfies Section
