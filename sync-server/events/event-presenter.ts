import type { OrganizerEvent, PublicEvent } from '#shared/events/event-calls.ts'
import { customizationRecord, eventRecord } from '#shared/events/event-record.ts'
import { presented } from '../db/record-columns.ts'
import type { EventRow } from '../db/tables.ts'

/** What every audience may see of an event. */
function sharedParts(row: EventRow): Omit<PublicEvent, 'applicationsClosed'> {
  return {
    id: row.id,
    organizerId: row.organizer_id,
    ...presented(eventRecord, row, 'anyone'),
    timeZone: row.time_zone,
    latitude: row.latitude,
    longitude: row.longitude,
    ...presented(customizationRecord, row, 'anyone'),
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
    ...presented(eventRecord, row, 'organizer'),
    ...presented(customizationRecord, row, 'organizer'),
    edition: row.edition,
    updatedAt: row.updated_at.toISOString(),
  }
}
