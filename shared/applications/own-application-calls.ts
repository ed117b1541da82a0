import * as z from 'zod'
import { applicationRecord } from '#shared/applications/application-record.ts'
import { applicationFields } from '#shared/applications/application.ts'
import { documentOf } from '#shared/record/record-schema.ts'
import { publicEvent } from '../events/event-calls.ts'
import { application } from './application-calls.ts'
import { longestPictureBody, uploadedPicture } from '../contract/picture.ts'
import type { Section } from '../contract/route.ts'

/** For the applicant: each field is named, so that nothing of the organizer's slips in. */
const ownApplication = z.strictObject({
  ...documentOf(applicationRecord, 'anyone').shape,
  ...documentOf(applicationRecord, 'organizer').shape,
  ...application.pick({
    id: true,
    eventId: true,
    status: true,
    decidedAt: true,
    withdrawnAt: true,
    createdAt: true,
    coming: true,
    faceHash: true,
  }).shape,
  /** The applicant was seen at the event at these times (ISO), oldest first; it is missing for never. */
  arrivals: z.array(z.string()).optional(),
  /** The organizer wrote these, newest first. Only `getOwnApplication` has them. */
  messages: z.array(z.strictObject({ id: z.int(), text: z.string(), at: z.string() })).optional(),
  /** Only `getOwnApplication` has it, while the public does not see the event. */
  event: publicEvent.optional(),
  /** Only `getOwnApplication` has it, while the application is approved. */
  briefing: z
    .strictObject({
      instructions: z.string().nullable(),
      promoCode: z.string().nullable(),
      /** Names their post at the event; it is missing until they have one. */
      post: z.string().optional(),
      /** These are first names of other approved Beacons, at most fifty. */
      beacons: z.array(z.string()),
    })
    .optional(),
})
export type OwnApplication = z.output<typeof ownApplication>

/**
 * The token is never in an address. It is in the header `X-Application-Token` for reading and in the body for changes,
 * because a batch's entries have no headers.
 */
const token = z.string().min(1).max(100)

export const ownApplicationRoutes = {
  getOwnApplication: {
    summary: "The applicant's own application; its token travels in the header X-Application-Token",
    access: 'anyone',
    header: 'applicationToken',
    answer: ownApplication,
  },
  correctApplication: {
    summary: 'Put one’s own application right until the event has ended; its state stays as it is',
    access: 'anyone',
    body: z.strictObject({ token, ...applicationFields.shape }),
    answer: ownApplication,
    queueable: true,
  },
  sayComing: {
    summary: 'Whether an approved Beacon will be there; the organizer is alerted when not',
    access: 'anyone',
    body: z.strictObject({ token, coming: z.boolean() }),
    answer: ownApplication,
    queueable: true,
  },
  checkIn: {
    summary: 'An approved Beacon says to be at the event; a second time on the same day changes nothing',
    access: 'anyone',
    body: z.strictObject({
      token,
      /** When it was said; an instant in the future counts as now. */
      seenAt: z.iso.datetime({ offset: true }),
    }),
    answer: ownApplication,
    queueable: true,
  },
  setFace: {
    summary: 'Give one’s own application a photo, which guests see once it is approved; converted to WebP of 320 × 320',
    access: 'anyone',
    body: z.strictObject({ token, picture: uploadedPicture }),
    longestBody: longestPictureBody,
    answer: ownApplication,
    queueable: true,
  },
  removeFace: {
    summary: 'Take one’s own photo back',
    access: 'anyone',
    body: z.strictObject({ token }),
    answer: ownApplication,
    queueable: true,
  },
  withdrawApplication: {
    summary: 'Take one’s own application back',
    access: 'anyone',
    body: z.strictObject({ token }),
    answer: ownApplication,
    queueable: true,
  },
  applyAgain: {
    summary: 'Offer one’s own application again after taking it back, while applications are open',
    access: 'anyone',
    body: z.strictObject({
      token,
      /**
       * This works as in `applyAsBeacon`: what was done before the deadline is taken for a day after it, marked as
       * late.
       */
      finishedAt: z.iso.datetime({ offset: true }).optional(),
    }),
    answer: ownApplication,
    queueable: true,
  },
  deleteOwnApplication: {
    summary: 'Delete one’s own application with all that belongs to it, at once and for good',
    access: 'anyone',
    body: z.strictObject({ token }),
  },
} as const satisfies Section
