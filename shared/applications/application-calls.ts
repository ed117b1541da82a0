import * as z from 'zod'
import { applicationRecord, longestNote, publicParts } from '#shared/applications/application-record.ts'
import { applicationFields } from '#shared/applications/application.ts'
import { documentOf } from '#shared/record/record-schema.ts'
import { applicationStatuses } from '#shared/applications/decide.ts'
import { givenId, idInPath } from '../events/event-calls.ts'
import { isPost, maxPostLength } from '../events/posts.ts'
import { viewSources } from '../events/view-source.ts'
import type { Section } from '../contract/route.ts'
import { emailAddress } from '../text/email-address.ts'
import { isVisible } from '../text/plain-text.ts'

const publicBeacon = z.strictObject({
  id: z.int(),
  eventId: z.int(),
  ...documentOf(applicationRecord, 'anyone').shape,
  /** Names their post, once the organizer shows it to guests. */
  post: z.string().optional(),
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

/** `device` and `at` tell where and when it was written; null means that it is not known. */
const otherNote = z.strictObject({
  note: z.string(),
  at: z.string().nullable(),
  device: z.string().nullable(),
})

/** The event's organizer sees this. `decisionNumber` counts decisions from 0. */
export const application = z.strictObject({
  ...publicBeacon.shape,
  ...documentOf(applicationRecord, 'organizer').shape,
  status: z.enum(applicationStatuses),
  /** Names the state after the latest decision; null before the first. */
  basis: z.string().nullable(),
  decisionNumber: z.int(),
  decidedAt: z.string().nullable(),
  /** Names the device of the last decision, as its owner calls it. */
  decidedOn: z.string().nullable(),
  withdrawnAt: z.string().nullable(),
  /** These are the latest five, oldest first. */
  decisions: z.array(decisionMade),
  /** The note is never public and never shown to the applicant. */
  note: z.string().nullable(),
  /** Other phones' notes, overwritten unseen, newest first. */
  otherNotes: z.array(otherNote).optional(),
  /** Guests read these of an approved Beacon, and the organizer has not agreed to them yet. */
  publicChanges: z
    .strictObject({
      /** This is the time of the last change. */
      at: z.string(),
      changes: z.array(z.strictObject({ field: z.enum(publicParts), was: z.string().nullable() })),
    })
    .optional(),
  starred: z.boolean(),
  /** It is true if it was finished before the deadline and sent after it, and missing for all others. */
  sentLate: z.literal(true).optional(),
  /** It is true if the organizer took the person in on the spot, and missing for all others. The email may be empty. */
  walkedIn: z.literal(true).optional(),
  /** The organizer first saw them arrive at this time. */
  arrivedAt: z.string().nullable(),
  /**
   * Each day of the event has the time of their arrival, or null if they did not come. A day without an answer is
   * missing.
   */
  presence: z.record(z.string(), z.string().nullable()).optional(),
  /** An approved Beacon says whether they will be there; it is missing until they do. */
  coming: z.boolean().optional(),
  createdAt: z.string(),
})
export type Application = z.output<typeof application>

const walkInName = z.string().trim().max(80, 'Please keep this under 80 characters')

const writtenApplication = z.strictObject({
  ...applicationFields.shape,
  /** Without it the server makes one. */
  id: givenId.optional(),
  /** The first answer had it, for an application that is sent again after a restore. */
  token: z.string().min(1).max(100).optional(),
  /** A trap: people leave it empty, programs fill every field. */
  website: z.string().max(200).optional(),
  /** The form was open for this long, in milliseconds. */
  filledInMs: z.int().min(0).optional(),
  /**
   * The sender finished it at this time: what was done before the deadline is taken for a day after it, marked as late.
   */
  finishedAt: z.iso.datetime({ offset: true }).optional(),
  /** The organizer sees counts of these, next to no name. */
  cameFrom: z.enum(viewSources).optional(),
})

export const applicationRoutes = {
  listBeacons: { summary: 'Approved Beacons of an event', access: 'anyone', answer: z.array(publicBeacon) },
  listApplications: {
    summary: 'All applications for an event, at most 2 MB; a header Link with rel="next" leads to more of them',
    access: 'owner',
    team: 'reviewer',
    query: z.strictObject({ after: idInPath.optional() }),
    answer: z.array(application),
  },
  applyAsBeacon: {
    summary: 'Apply to be a Beacon',
    access: 'anyone',
    body: writtenApplication,
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
  addWalkIn: {
    summary: 'Take a person in on the spot: approved and here, with an email address they get their own page',
    access: 'owner',
    team: 'door',
    body: z.strictObject({
      /** Without it the server makes one. */
      id: givenId.optional(),
      firstName: walkInName.refine(isVisible, 'Required'),
      lastName: walkInName,
      company: z.string().trim().max(120).nullish(),
      email: z.union([z.literal(''), emailAddress], { error: 'Please enter a valid email address' }).optional(),
      /** The phone may have been without a network since. */
      seenAt: z.iso.datetime({ offset: true }),
    }),
    answer: application,
    status: 201,
    queueable: true,
    changesState: true,
  },
  handInApplication: {
    summary: 'Hand in an application that waits on a volunteer’s phone; that phone’s own request then finds it done',
    access: 'owner',
    team: 'reviewer',
    body: z.strictObject({
      /** The volunteer’s phone sends the application under this key itself. */
      key: z.uuid(),
      deviceId: z.string().regex(/^[\w-]{1,64}$/),
      application: writtenApplication.omit({ token: true }),
    }),
    answer: application,
    status: 201,
    queueable: true,
  },
  decideApplication: {
    summary: 'Approve, reject or revoke',
    access: 'owner',
    team: 'reviewer',
    body: z.strictObject({
      status: z.enum(['approved', 'rejected']),
      /** False sends no mail about a pending application's rejection. */
      tellApplicant: z.boolean().optional(),
    }),
    answer: application,
    queueable: true,
    changesState: true,
  },
  markApplication: {
    summary: "The organizer's own marks: a private note, a star, a post, here today. The last change of each wins",
    access: 'owner',
    team: 'door',
    body: z
      .strictObject({
        note: z.string().trim().max(longestNote, `Please keep this under ${longestNote} characters`).optional(),
        /**
         * Goes with `note` and says what its writer saw there, null for nothing. Another note is kept in `otherNotes`.
         */
        noteOver: z.string().max(longestNote).nullable().optional(),
        forgetNote: z.string().max(longestNote).optional(),
        /** This is the `at` of the `publicChanges` that the organizer agrees to. */
        changesSeen: z.string().max(40).optional(),
        starred: z.boolean().optional(),
        /**
         * Is for an approved Beacon only. With `day`, false says that they did not come; null takes the answer back.
         */
        present: z.boolean().nullable().optional(),
        /**
         * Goes with `present` and names a day of the event, such as 2026-03-01. Without it the day of `seenAt` counts.
         */
        day: z.iso.date().optional(),
        /** Names the post of an approved Beacon; null takes it away. */
        post: z
          .string()
          .trim()
          .max(2 * maxPostLength)
          .refine(isPost, `Please keep this under ${maxPostLength} characters`)
          .nullable()
          .optional(),
        /** With `present`: the phone may have been without a network since. */
        seenAt: z.iso.datetime({ offset: true }).optional(),
      })
      .refine(
        ({ note, starred, present, forgetNote, changesSeen, post }) =>
          [note, starred, present, forgetNote, changesSeen, post].some((mark) => mark !== undefined),
        { message: 'Nothing to mark' },
      ),
    answer: application,
    queueable: true,
  },
  correctEmail: {
    summary:
      'Correct an applicant’s email address; their link stays valid, and the latest mail is sent again to the new address',
    access: 'owner',
    team: 'manager',
    body: z.strictObject({ email: emailAddress }),
    answer: application,
    queueable: true,
  },
  getFace: {
    summary: 'The photo of an applicant, whatever was decided',
    access: 'owner',
    team: 'reviewer',
    /** The picture is a WebP file in base64. */
    answer: z.strictObject({ picture: z.string() }),
  },
  listDecisions: {
    summary: 'All decisions on an application, oldest first',
    access: 'owner',
    team: 'reviewer',
    answer: z.array(decisionMade),
  },
} as const satisfies Section
