import type { Knex } from 'knex'
import type { Handler } from '../calls/handler.ts'
import { eventNotFound, requireOwner } from './event-policy.ts'
import { isVisible } from './event-store.ts'

/** Only a number grows: nothing is kept about the reader. */
export const countView: Handler<'countView'> = async ({ db, caller, params, body, now, ...call }) => {
  if (!(await isVisible(db, params.id))) throw eventNotFound()
  await call.spend('page-view', call.address)
  if (call.isRobot || caller?.isAdmin) return undefined
  await db.raw(
    `insert into event_views (event_id, day, source, views)
     select id, (?::timestamptz at time zone time_zone)::date, ?, 1 from events
     where id = ? and organizer_id is distinct from ?
     on conflict (event_id, day, source) do update set views = event_views.views + 1`,
    [now, body.from, params.id, caller?.userId ?? null] as Knex.Value[],
  )
  return undefined
}

export const getEventViews: Handler<'getEventViews'> = async ({ db, caller, params }) => {
  const { id } = await requireOwner(db, caller, params.id)
  const { rows } = await db.raw<{ rows: { views: number }[] }>(
    'select coalesce(sum(views), 0)::int as views from event_views where event_id = ?',
    [id],
  )
  return { views: rows[0]?.views ?? 0 }
}
