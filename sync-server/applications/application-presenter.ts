import type { Application, DecisionMade, PublicBeacon } from '#shared/api/applications.ts'
import { publicChanges, type PublicField } from '#shared/domain/public-fields.ts'
import type { ApplicationDecisionRow, ApplicationRow } from '../db/tables.ts'
import type { DecidedApplication } from './application-store.ts'

/** An approved Beacon for anyone. */
export function presentPublicBeacon(row: ApplicationRow): PublicBeacon {
  return {
    id: row.id,
    eventId: row.event_id,
    firstName: row.first_name,
    lastName: row.last_name,
    company: row.company,
    jobTitle: row.job_title,
    bio: row.bio,
    linkedinUrl: row.linkedin_url,
  }
}

/** Nobody signed in withdraws: a decision without a person is the applicant's own. */
function presentDecision(row: ApplicationDecisionRow): DecisionMade {
  return {
    number: row.decision_number,
    from: row.from_status,
    to: row.to_status,
    at: row.decided_at.toISOString(),
    device: row.device_name,
    by: row.decided_by === null ? 'applicant' : 'organizer',
  }
}

/** What an applicant wrote and where it stands: nothing of it is the organizer's own. */
export function presentWritten(row: ApplicationRow) {
  return {
    ...presentPublicBeacon(row),
    email: row.email,
    phone: row.phone,
    experience: row.experience,
    expertise: row.expertise,
    whyBeacon: row.why_beacon,
    networkingStyle: row.networking_style,
    customAnswers: row.custom_answers,
    status: row.status,
    decidedAt: row.decided_at?.toISOString() ?? null,
    withdrawnAt: row.withdrawn_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}

/** What guests read of a Beacon, under the names of the contract. */
export const publicTextsOf = (row: ApplicationRow): Record<PublicField, string | null> => ({
  firstName: row.first_name,
  lastName: row.last_name,
  jobTitle: row.job_title,
  company: row.company,
  bio: row.bio,
  linkedinUrl: row.linkedin_url,
})

/** What an approved Beacon changed since the decision; nothing of it is left when they are decided on anew. */
function changesOf(row: ApplicationRow): Pick<Application, 'publicChanges'> {
  const { approved_as: approved } = row
  if (row.status !== 'approved' || approved?.decisionNumber !== row.decision_number) return {}
  return { publicChanges: { at: approved.changedAt, changes: publicChanges(approved.fields, publicTextsOf(row)) } }
}

/** An application for the event's organizer, with their own marks and the history of decisions. */
export function presentApplication({ row, decisions }: DecidedApplication): Application {
  return {
    ...presentWritten(row),
    decisionNumber: row.decision_number,
    decidedOn: decisions.find((decision) => decision.decision_number === row.decision_number)?.device_name ?? null,
    decisions: decisions.map(presentDecision),
    note: row.note,
    ...(row.other_notes.length > 0 ? { otherNotes: row.other_notes } : {}),
    ...changesOf(row),
    starred: row.starred,
    arrivedAt: row.arrived_at?.toISOString() ?? null,
    origin: row.origin,
  }
}
