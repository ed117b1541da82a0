import { signedIn } from '../calls/signed-in.ts'
import type { Handler, Room } from '../calls/handler.ts'
import { createEvent } from './create-event.ts'
import { deleteEvent } from './delete-event.ts'
import { leaseEventIds } from './event-id-leases.ts'
import { presentOrganizerEvent } from './event-presenter.ts'
import { countApplications, listEventsOf } from './event-store.ts'
import { getEvent, listEvents } from './list-events.ts'
import { customizeEvent, updateEvent } from './update-event.ts'

const listOrganizerEvents: Handler<'listOrganizerEvents'> = async (call) => {
  const rows = await listEventsOf(call.db, signedIn(call).userId)
  const counts = await countApplications(
    call.db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...presentOrganizerEvent(row), ...counts(row.id) }))
}

/** Events for the public and for their organizers. */
export const eventHandlers: Room<
  | 'listEvents'
  | 'getEvent'
  | 'listOrganizerEvents'
  | 'createEvent'
  | 'updateEvent'
  | 'deleteEvent'
  | 'customizeEvent'
  | 'leaseEventIds'
> = { listEvents, getEvent, listOrganizerEvents, createEvent, updateEvent, deleteEvent, customizeEvent, leaseEventIds }
