import type { OrganizerEvent, PublicEvent } from '#shared/events/event-calls.ts'
import { customizationRecord, eventRecord } from '#shared/events/event-record.ts'
import { presented } from '../db/record-columns.ts'
import type { EventRow } from '../db/rows/event-rows.ts'

/** What every audience may see of an event. */
function sharedParts(row: EventRow): Omit<PublicEvent, 'applicationsClosed'> {
  return {
    id: row.id,
    organizerId: row.organizerId,
    ...presented(eventRecord, row, 'anyone'),
    timeZone: row.timeZone,
    latitude: row.latitude,
    longitude: row.longitude,
    ...presented(customizationRecord, row, 'anyone'),
    createdAt: row.createdAt.toISOString(),
  }
}

/** Whether applications are closed for everyone, whatever the clock says: by hand, or because enough are approved. */
export function isClosedToAll(
  row: Pick<EventRow, 'applicationsClosed' | 'maxBeacons'>,
  approvedCount: number,
): boolean {
  return row.applicationsClosed || (row.maxBeacons !== null && approvedCount >= row.maxBeacons)
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
    updatedAt: row.updatedAt.toISOString(),
  }
}
