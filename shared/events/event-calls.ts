import * as z from 'zod'
import { customizationRecord, eventRecord } from '#shared/events/event-record.ts'
import { customizationFields, eventFields, refuseDates } from '#shared/events/event.ts'
import { greatestId } from '#shared/record/new-id.ts'
import { documentOf } from '#shared/record/record-schema.ts'
import { longestPictureBody, uploadedPicture } from '../contract/picture.ts'
import type { Section } from '../contract/route.ts'
import { tooManyPlaceholders } from './template-placeholders.ts'
import { maxChangeNote } from './when-and-where.ts'
import { viewSources } from './view-source.ts'

const idText = z.string().regex(/^\d{1,12}$/)

/** The id is like the one in /events/12: digits only. */
export const idInPath = z
  .union([z.number(), idText.transform(Number)], { error: 'The id must be a number' })
  .pipe(z.int().min(1).max(greatestId))

/** Given by its creator, see `newId`. */
export const givenId = z.int().min(100_000_000_000).max(greatestId)

const changeNote = z
  .string()
  .trim()
  .max(maxChangeNote, `Please keep this under ${maxChangeNote} characters`)
  .superRefine((text, { addIssue }) => {
    const complaint = tooManyPlaceholders(text)
    if (complaint) addIssue({ code: 'custom', message: complaint })
  })

/** Promo code, instructions and email template are left out. */
export const publicEvent = z.strictObject({
  id: z.int(),
  organizerId: z.int(),
  /** A copy that a device kept before may lack it. */
  organizer: z.strictObject({ name: z.string(), contactEmail: z.string().nullable() }).optional(),
  ...documentOf(eventRecord, 'anyone').shape,
  timeZone: z.string(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  ...documentOf(customizationRecord, 'anyone').shape,
  /** By hand or by `maxBeacons`; deadline and end are for the reader's clock. */
  applicationsClosed: z.boolean(),
  /** Counts the Beacons whom guests see: approved ones who do not stay away, without walk-ins. */
  beaconCount: z.int(),
  /** Names the uploaded cover at `/pictures/events/{id}/{coverHash}.webp`; missing for the drawn one. */
  coverHash: z.string().optional(),
  /**
   * It seals an application that travels by codes, and is a point of P-256 in base64url. It is missing until the server has
   * the event.
   */
  sealingKey: z.string().optional(),
  /** By the organizer; missing while the event takes place. */
  cancelledAt: z.string().optional(),
  createdAt: z.string(),
})
export type PublicEvent = z.output<typeof publicEvent>

/** The admin gives a reason. */
export const takenDown = z.strictObject({ at: z.string(), reason: z.string() })

/** `applicationsClosed` is the organizer's own switch here. `basis` names the state after the latest edit. */
export const organizerEvent = z.strictObject({
  ...publicEvent.omit({ organizer: true, beaconCount: true }).shape,
  ...documentOf(eventRecord, 'organizer').shape,
  ...documentOf(customizationRecord, 'organizer').shape,
  basis: z.string().nullable(),
  edition: z.int(),
  updatedAt: z.string(),
  /**
   * An admin took it down and alone can undo that: only admins and the organizer see the event. It is missing while the
   * event is up.
   */
  takenDown: takenDown.optional(),
  /** It opens what was sealed with `sealingKey`, for those who may see the applications. */
  openingKey: z.string().optional(),
})
export type OrganizerEvent = z.output<typeof organizerEvent>

const createEventBody = z
  .strictObject({
    ...eventFields.shape,
    ...customizationFields.partial().shape,
    /** Gives an event created offline its final address; without it the server makes one. */
    id: givenId.optional(),
  })
  .superRefine(refuseDates)

export const eventRoutes = {
  listEvents: {
    summary:
      'Upcoming events, by start date then name, at most 2 MB; a header Link with rel="next" leads to more of them',
    access: 'anyone',
    query: z.strictObject({
      state: z.string().max(40).optional(),
      zipCode: z.string().max(5).optional(),
      radius: z.coerce.number().int().min(1).max(250).optional(),
      /** Every word is in the name, location, description or city, whatever its case and accents. */
      q: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(500).optional(),
      /** The page before ended here (Link header). */
      after: z.string().max(600).optional(),
    }),
    answer: z.array(publicEvent),
  },
  getEvent: { summary: 'One event', access: 'anyone', answer: publicEvent },
  listOrganizerEvents: {
    summary: 'The caller\'s own events with counts, at most 2 MB; a header Link with rel="next" leads to more of them',
    access: 'user',
    team: 'reviewer',
    query: z.strictObject({ after: idInPath.optional() }),
    answer: z.array(z.strictObject({ ...organizerEvent.shape, approvedCount: z.int(), pendingCount: z.int() })),
  },
  createEvent: {
    summary: 'Publish an event; uses one event of the plan',
    access: 'user',
    team: 'manager',
    body: createEventBody,
    answer: organizerEvent,
    status: 201,
    queueable: true,
    changesState: true,
  },
  updateEvent: {
    summary: 'Change an event; a field that is left out is emptied',
    access: 'owner',
    team: 'manager',
    body: eventFields
      .extend({
        /** Goes into the mail to Beacons, where the change is news to them. */
        changeNote: changeNote.optional(),
      })
      .superRefine(refuseDates),
    answer: organizerEvent,
    queueable: true,
    changesState: true,
  },
  deleteEvent: {
    summary: 'Delete an event with all its applications',
    access: 'owner',
    queueable: true,
  },
  cancelEvent: {
    summary: 'Cancel an event, which stays readable; Beacons and applicants get a mail',
    access: 'owner',
    team: 'manager',
    answer: organizerEvent,
    queueable: true,
  },
  reinstateEvent: {
    summary: 'Take a cancellation back within a day; who got the mail about it gets another one',
    access: 'owner',
    team: 'manager',
    answer: organizerEvent,
    queueable: true,
  },
  customizeEvent: {
    summary: "Set an event's email template and questions",
    access: 'owner',
    team: 'manager',
    body: customizationFields,
    answer: organizerEvent,
    queueable: true,
    changesState: true,
  },
  setEventCover: {
    summary: 'Give an event an uploaded cover, which is converted to WebP of 1200 × 600',
    access: 'owner',
    team: 'manager',
    body: z.strictObject({ picture: uploadedPicture }),
    longestBody: longestPictureBody,
    answer: organizerEvent,
    queueable: true,
  },
  removeEventCover: {
    summary: 'Go back to the drawn cover',
    access: 'owner',
    team: 'manager',
    answer: organizerEvent,
    queueable: true,
  },
  countView: {
    summary: "Count a view of an event's public page, unless by its organizer, an admin or a program",
    access: 'anyone',
    body: z.strictObject({ from: z.enum(viewSources) }),
    isUnaudited: true,
  },
  getEventViews: {
    summary: "How often an event's public page was viewed",
    access: 'owner',
    team: 'manager',
    answer: z.strictObject({ views: z.int() }),
  },
} as const satisfies Section
