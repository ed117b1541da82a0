import type { customizationRecord, eventRecord } from '#shared/events/event-record.ts'
import type { ViewSource } from '#shared/events/view-source.ts'
import type { ColumnsOf } from '../column-names.ts'

export interface EventRow extends ColumnsOf<typeof eventRecord>, ColumnsOf<typeof customizationRecord> {
  id: number
  organizerId: number
  /** IANA, e.g. 'America/Chicago'. */
  timeZone: string
  latitude: number | null
  longitude: number | null
  /** Formerly asked: an application may have been written then. */
  askedQuestions: string[]
  /** Null when what paid for it is gone or was not yet recorded. */
  subscriptionId: number | null
  /** Names the state after the latest edit; null before the first. */
  basis: string | null
  /** Counts edits, from 1. */
  edition: number
  /** Names the uploaded cover; null for the drawn one. */
  coverHash: string | null
  /** By an admin: hidden from the public. Null, as its reason, otherwise. */
  takenDownAt: Date | null
  /** The admin's words to the organizer. */
  takenDownReason: string | null
  createdAt: Date
  updatedAt: Date
}

export interface EventViewsRow {
  eventId: number
  /** By the venue's calendar. */
  day: string
  source: ViewSource
  views: number
}
