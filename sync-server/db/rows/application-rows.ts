import type { applicationRecord, PublicField } from '#shared/applications/application-record.ts'
import type { ApplicationStatus } from '#shared/applications/decide.ts'
import type { OtherNote } from '#shared/applications/mark.ts'
import type { ViewSource } from '#shared/events/view-source.ts'
import type { ColumnsOf } from '../column-names.ts'

/** What guests read of a Beacon as of a decision. */
interface ApprovedAs {
  basis: string | null
  changedAt: string
  fields: Record<PublicField, string | null>
}

export interface ApplicationRow extends ColumnsOf<typeof applicationRecord> {
  id: number
  eventId: number
  status: ApplicationStatus
  /** Names the state after the latest decision; null before the first. */
  basis: string | null
  /** From 0. */
  decisionNumber: number
  decidedAt: Date | null
  /** Days since 1970 (UTC) of the organizer's last decision, and how many were made on that day. */
  decidedDay: number | null
  decidedTimes: number
  withdrawnAt: Date | null
  note: string | null
  starred: boolean
  /** Null for notes from before these columns. */
  noteAt: Date | null
  noteDevice: string | null
  /** Overwritten by a phone that had not seen them, newest first. */
  otherNotes: readonly OtherNote[]
  /** What guests read before the Beacon changed it; else null. */
  approvedAs: ApprovedAs | null
  arrivedAt: Date | null
  /** What an approved Beacon said; null before, and after another decision. */
  coming: boolean | null
  /** Null where the sender did not say. */
  cameFrom: ViewSource | null
  /** Names the uploaded face. */
  faceHash: string | null
  /** The organizer's devices keep no copy. */
  archived: boolean
  termsAcceptedAt: Date
  termsVersion: string
  /** Of the token for the applicant's own page. */
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
  /** Null when the applicant withdrew or the user is gone. */
  decidedBy: number | null
  deviceId: string | null
  deviceName: string | null
  decidedAt: Date
}
