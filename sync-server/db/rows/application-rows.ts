import type { applicationRecord, PublicPart } from '#shared/applications/application-record.ts'
import type { ApplicationStatus } from '#shared/applications/decide.ts'
import type { OtherNote } from '#shared/applications/mark.ts'
import type { Presence } from '#shared/applications/presence.ts'
import type { ViewSource } from '#shared/events/view-source.ts'
import type { ColumnsOf } from '../column-names.ts'

/** Guests saw this of a Beacon when the decision was made. */
interface ApprovedAs {
  basis: string | null
  changedAt: string
  fields: Record<PublicPart, string | null>
}

export interface ApplicationRow extends ColumnsOf<typeof applicationRecord> {
  id: number
  eventId: number
  status: ApplicationStatus
  /** Names the state after the latest decision; null before the first. */
  basis: string | null
  /** The number starts at 0. */
  decisionNumber: number
  decidedAt: Date | null
  /** Counts days since 1970 (UTC) of the organizer's last decision, and how many were made on that day. */
  decidedDay: number | null
  decidedTimes: number
  withdrawnAt: Date | null
  note: string | null
  starred: boolean
  /** Both say when and on which device the note was written; null means that there is none. */
  noteAt: Date | null
  noteDevice: string | null
  /** It is null before the first note, and when the user is gone. */
  noteBy: number | null
  /** A phone that had not seen these overwrote them; the newest comes first. */
  otherNotes: readonly (OtherNote & { readonly by?: number | null })[]
  /** Guests read this before the Beacon changed it; it is null if nothing was changed. */
  approvedAs: ApprovedAs | null
  /** This is the first arrival. */
  arrivedAt: Date | null
  presence: Presence
  /** The Beacon has this post at the event. */
  post: string | null
  /** An approved Beacon said this; it is null before, and after another decision. */
  coming: boolean | null
  /** It is null where the sender did not say. */
  cameFrom: ViewSource | null
  /** It is true if it was finished before the deadline and sent after it. */
  sentLate: boolean
  /** Taken in by the organizer on the spot; the email may be empty. */
  walkedIn: boolean
  /** Names the uploaded face. */
  faceHash: string | null
  /** The organizer's devices keep no copy. */
  archived: boolean
  termsAcceptedAt: Date
  termsVersion: string
  /** Hashes the token for the applicant's own page. */
  statusTokenHash: string
  /** First opening of a mailed link: until then the address may be a stranger's. */
  linkOpenedAt: Date | null
  createdAt: Date
}

export interface ApplicationDecisionRow {
  id: number
  applicationId: number
  decisionNumber: number
  fromStatus: ApplicationStatus
  toStatus: ApplicationStatus
  /** The applicant withdrew or applied again. */
  byApplicant: boolean
  /** It is null where the applicant decided, and when the user is gone. */
  decidedBy: number | null
  deviceId: string | null
  deviceName: string | null
  decidedAt: Date
}
