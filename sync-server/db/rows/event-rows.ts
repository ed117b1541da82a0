import type { customizationRecord, eventRecord } from '#shared/events/event-record.ts'
import type { ViewSource } from '#shared/events/view-source.ts'
import type { ColumnsOf } from '../column-names.ts'

export interface EventRow extends ColumnsOf<typeof eventRecord>, ColumnsOf<typeof customizationRecord> {
  id: number
  organizerId: number
  /** This is an IANA name, e.g. 'America/Chicago'. */
  timeZone: string
  latitude: number | null
  longitude: number | null
  /** Formerly asked: an application may have been written then. */
  askedQuestions: string[]
  /** It is null when nothing paid for it, or when that is gone. */
  subscriptionId: number | null
  /** Names the state after the latest edit; null before the first. */
  basis: string | null
  /** Counts edits, starting at 1. */
  edition: number
  /** Names the uploaded cover; null for the drawn one. */
  coverHash: string | null
  /** An admin hid the event from the public at this time. It is null, as its reason, for all others. */
  takenDownAt: Date | null
  /** The admin wrote this to the organizer. */
  takenDownReason: string | null
  /** By the organizer: it will not take place. */
  cancelledAt: Date | null
  /** Everybody may read it: applications that travel by codes are sealed with it. */
  sealingKey: string
  /** It opens them, and is in no public document. */
  openingKey: string
  /** The last day for which its applications were archived; another one, or none, means that they are looked at. */
  archivedFor: string | null
  /** The last day for which its applications were deleted after twelve months. */
  purgedFor: string | null
  /** Its Beacons were reminded of this start. */
  remindedFor: Date | null
  createdAt: Date
  updatedAt: Date
}

export interface EventViewsRow {
  eventId: number
  /** The venue's calendar decides the day. */
  day: string
  source: ViewSource
  views: number
}
