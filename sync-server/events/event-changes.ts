import type { EventRow } from '../db/tables.ts'
import type { Change } from '../feed/change-feed.ts'
import { presentOrganizerEvent, presentPublicEvent } from './event-presenter.ts'

/** An event for everyone who may see it: its organizer and the public. */
export function eventChanges(row: EventRow, approvedCount: number): Change[] {
  return [organizerEventChange(row), publicEventChange(row, approvedCount)]
}

export function organizerEventChange(row: EventRow): Change {
  return {
    scope: `org:${row.organizer_id}`,
    collection: 'events',
    docId: String(row.id),
    document: presentOrganizerEvent(row),
  }
}

export function publicEventChange(row: EventRow, approvedCount: number): Change {
  return {
    scope: 'public',
    collection: 'events',
    docId: String(row.id),
    document: presentPublicEvent(row, approvedCount),
  }
}

/** A deleted event with its applications, out of every audience's sight. */
export function eventTombstones(
  event: Pick<EventRow, 'id' | 'organizer_id'>,
  applications: readonly { readonly id: number; readonly isPublic: boolean }[],
): Change[] {
  const scope = `org:${event.organizer_id}` as const
  const eventId = String(event.id)
  return [
    { scope, collection: 'events', docId: eventId, document: null },
    { scope: 'public', collection: 'events', docId: eventId, document: null },
    ...applications.map(({ id }): Change => ({ scope, collection: 'applications', docId: String(id), document: null })),
    ...applications
      .filter(({ isPublic }) => isPublic)
      .map(({ id }): Change => ({ scope: 'public', collection: 'beacons', docId: String(id), document: null })),
  ]
}
