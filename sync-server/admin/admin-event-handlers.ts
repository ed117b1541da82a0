import { isUpcomingRow } from '../db/event-end.ts'
import type { Knex } from 'knex'
import type { AdminEvent } from '#shared/admin/admin-event-calls.ts'
import type { HandlerCall, Handlers } from '../calls/handler.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import { eventNotFound } from '../events/event-policy.ts'
import { findEventForChange } from '../events/event-store.ts'
import { queueTakenDownMail } from './taken-down-mail.ts'

interface EventLine extends Pick<EventRow, 'id' | 'name' | 'startDate' | 'endDate' | 'takenDownAt'> {
  readonly takenDownReason: string | null
  readonly organizerId: number
  readonly username: string
  readonly isUpcoming: boolean
  readonly applicationCount: number
}

interface EventSelection {
  readonly id?: number
  readonly after?: number | undefined
  readonly limit?: number | undefined
}

async function listEventLines(db: Knex, now: Date, { id, after, limit }: EventSelection): Promise<AdminEvent[]> {
  const { rows } = await db.raw<{ rows: EventLine[] }>(
    `with page as (
       select * from events where id > ?::bigint and id = coalesce(?::bigint, id) order by id limit ?::int
     )
     select e.id, e.name, e.start_date, e.end_date, e.taken_down_at, e.taken_down_reason, e.organizer_id, u.username,
       ${isUpcomingRow} as is_upcoming,
       (select count(*)::int from applications where event_id = e.id) as application_count
     from page e join users u on u.id = e.organizer_id order by e.id`,
    [after ?? 0, id ?? null, limit ?? null, now] as Knex.Value[],
  )
  return rows.map(({ organizerId, username, takenDownAt: at, takenDownReason: reason, ...line }) => ({
    ...line,
    organizer: { id: organizerId, username },
    takenDown: at === null || reason === null ? null : { at: at.toISOString(), reason },
  }))
}

/** Changes nothing where the event is as wished. Its approved Beacons disappear from the public with it, and come back. */
async function show(
  { db, params, now, touch }: HandlerCall<'takeEventDown' | 'putEventBack'>,
  reason: string | null,
): Promise<AdminEvent> {
  const event = await findEventForChange(db, params.id)
  if (!event) throw eventNotFound()
  const isUp = event.takenDownAt === null
  if (isUp !== (reason === null)) {
    const takenDownAt = reason === null ? null : now
    await db('events').where({ id: event.id }).update({ takenDownAt, takenDownReason: reason })
    if (takenDownAt) await queueTakenDownMail(db, event, takenDownAt)
    const { id, organizerId } = event
    const beacons = await db('applications').where({ eventId: id, status: 'approved' }).select('id')
    touch({ what: 'event', id, organizerId })
    touch(...beacons.map((beacon) => ({ what: 'application' as const, id: beacon.id, organizerId })))
  }
  const [line] = await listEventLines(db, now, { id: event.id })
  if (!line) throw eventNotFound()
  return line
}

export const adminEventHandlers = {
  listAdminEvents: async ({ db, now, query }) => await listEventLines(db, now, query),
  takeEventDown: async (call) => await show(call, call.body.reason),
  putEventBack: async (call) => await show(call, null),
} satisfies Partial<Handlers>
