import * as z from 'zod'
import { applicationRecord } from '#shared/applications/application-record.ts'
import { applicationFields } from '#shared/applications/application.ts'
import { documentOf } from '#shared/record/record-schema.ts'
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
  /** While approved, in `getOwnApplication` alone. */
  briefing: z
    .strictObject({
      instructions: z.string().nullable(),
      promoCode: z.string().nullable(),
      /** First names of other approved Beacons, at most fifty. */
      beacons: z.array(z.string()),
    })
    .optional(),
})
export type OwnApplication = z.output<typeof ownApplication>

/**
 * Never in an address: in the header `X-Application-Token` for reading, in the body for changes, because a batch's
 * entries have no headers.
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
  setFace: {
    summary:
      'Give one’s own application a photo, which guests see once it is approved; written anew as WebP of 320 × 320',
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
  deleteOwnApplication: {
    summary: 'Delete one’s own application with all that belongs to it, at once and for good',
    access: 'anyone',
    body: z.strictObject({ token }),
  },
} as const satisfies Section
