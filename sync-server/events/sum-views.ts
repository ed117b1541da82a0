import { daysBefore, inLots, lotSize } from '../db/lots.ts'

const KEPT_DAYS = 90

/**
 * Adds old views of days to the sums of their events. An event that is being deleted is passed over: its deletion would
 * wait for the views, and the sums for it.
 */
export const sumOldViews = inLots(async (db, now) => {
  const { rows } = await db.raw<{ rows: { summed: number }[] }>(
    `with due as materialized (
       select v.event_id, v.day, v.source from event_views v join events e on e.id = v.event_id
       where v.day < (?::timestamptz at time zone 'UTC')::date
       order by v.day limit ${lotSize} for key share of e skip locked for update of v skip locked
     ), gone as (
       delete from event_views v using due d where (v.event_id, v.day, v.source) = (d.event_id, d.day, d.source)
       returning v.event_id, v.source, v.views
     ), summed as (
       insert into event_view_sums as s (event_id, source, views)
       select event_id, source, sum(views) from gone group by event_id, source order by event_id, source
       on conflict (event_id, source) do update set views = s.views + excluded.views
     )
     select count(*)::int as summed from gone`,
    [daysBefore(now, KEPT_DAYS)],
  )
  return rows[0]?.summed === 0 ? undefined : rows[0]?.summed
})
