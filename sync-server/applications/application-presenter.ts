import type { Application, PublicBeacon } from '#shared/api/applications.ts'
import type { ApplicationRow } from '../db/tables.ts'

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

/** An application for the event's organizer. `decidedOn` is the name of the device the last decision was made on. */
export function presentApplication(row: ApplicationRow, decidedOn: string | null): Application {
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
    decisionNumber: row.decision_number,
    decidedAt: row.decided_at?.toISOString() ?? null,
    decidedOn,
    withdrawnAt: row.withdrawn_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}
