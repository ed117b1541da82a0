import type { applicationRecord, PublicField } from '#shared/applications/application-record.ts'
import type { ApplicationStatus } from '#shared/applications/decide.ts'
import type { OtherNote } from '#shared/applications/mark.ts'
import type { ColumnsOf } from '../column-names.ts'

/** What guests read of a Beacon at a decision of the organizer's. */
interface ApprovedAs {
  /** Names the state after that decision. */
  basis: string | null
  /** When the Beacon changed something of it last (ISO). */
  changedAt: string
  fields: Record<PublicField, string | null>
}

export interface ApplicationRow extends ColumnsOf<typeof applicationRecord> {
  id: number
  eventId: number
  status: ApplicationStatus
  /** Names the state after the latest decision; null before the first. */
  basis: string | null
  /** Counts decisions, from 0. */
  decisionNumber: number
  decidedAt: Date | null
  /** The day of the organizer's last decision, counted from 1970 (UTC), and how many were made on it. */
  decidedDay: number | null
  decidedTimes: number
  withdrawnAt: Date | null
  /** What the organizer wrote for themselves. */
  note: string | null
  starred: boolean
  /** When it was written, and the name of the device; null for notes of before. */
  noteAt: Date | null
  noteDevice: string | null
  /** Notes that were written over by a phone that had not seen them, newest first. */
  otherNotes: readonly OtherNote[]
  /** What guests read when the organizer last agreed to it, once the Beacon has changed it; else null. */
  approvedAs: ApprovedAs | null
  /** When the organizer saw the Beacon arrive. */
  arrivedAt: Date | null
  termsAcceptedAt: Date
  termsVersion: string
  /** Hash of the token that opens the applicant's own page. */
  statusTokenHash: string
  /** When the link in a mail to the present address was opened first: until then the address may be a stranger's. */
  linkOpenedAt: Date | null
  createdAt: Date
}

export interface ApplicationDecisionRow {
  id: number
  applicationId: number
  decisionNumber: number
  fromStatus: ApplicationStatus
  toStatus: ApplicationStatus
  /** A user's id; null when the applicant withdrew or the user is gone. */
  decidedBy: number | null
  deviceId: string | null
  deviceName: string | null
  decidedAt: Date
}
