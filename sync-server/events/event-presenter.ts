import type { OrganizerEvent, PublicEvent } from '#shared/api/events.ts'
import type { EventRow } from '../db/tables.ts'

/** What every audience may see of an event. */
function sharedParts(row: EventRow): Omit<PublicEvent, 'applicationsClosed'> {
  return {
    id: row.id,
    organizerId: row.organizer_id,
    name: row.name,
    description: row.description,
    startDate: row.start_date,
    endDate: row.end_date,
    startTime: row.start_time,
    endTime: row.end_time,
    location: row.location,
    address: row.address,
    city: row.city,
    state: row.state,
    zipCode: row.zip_code,
    timeZone: row.time_zone,
    latitude: row.latitude,
    longitude: row.longitude,
    registrationUrl: row.registration_url,
    beaconIncentives: row.beacon_incentives,
    customQuestions: row.custom_questions,
    showDefaultQuestions: row.show_default_questions,
    applicationsCloseAt: row.applications_close_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}

/** Whether applications are closed for everyone, whatever the clock says: by hand, or because enough are approved. */
export function isClosedToAll(
  row: Pick<EventRow, 'applications_closed' | 'max_beacons'>,
  approvedCount: number,
): boolean {
  return row.applications_closed || (row.max_beacons !== null && approvedCount >= row.max_beacons)
}

/** An event for anyone. */
export function presentPublicEvent(row: EventRow, approvedCount: number): PublicEvent {
  return { ...sharedParts(row), applicationsClosed: isClosedToAll(row, approvedCount) }
}

/** An event for its organizer. */
export function presentOrganizerEvent(row: EventRow): OrganizerEvent {
  return {
    ...sharedParts(row),
    applicationsClosed: row.applications_closed,
    beaconInstructions: row.beacon_instructions,
    promoCode: row.promo_code,
    customBeaconEmailSubject: row.custom_beacon_email_subject,
    customBeaconEmailBody: row.custom_beacon_email_body,
    maxBeacons: row.max_beacons,
    edition: row.edition,
    updatedAt: row.updated_at.toISOString(),
  }
}
