import type { Knex } from 'knex'
import { isWithinMiles } from '#shared/domain/geography.ts'
import type { Handler } from '../http/handler.ts'
import { findFeedText, jsonArray } from '../replication/change-feed.ts'
import { zipCentre } from './event-place.ts'
import { eventNotFound } from './event-policy.ts'

/** The distance when a ZIP code comes without one (specification, section 2). */
const defaultRadiusMiles = 50

// An event is upcoming by the clock of its own place, so the day is asked per row.
const UPCOMING = `
from events e
join sync_log l on l.scope = 'public' and l.collection = 'events' and l.doc_id = e.id::text and not l.deleted
where e.end_date >= (?::timestamptz at time zone e.time_zone)::date and (?::text is null or e.state = ?::text)`
const ORDER = 'order by e.start_date, lower(e.name), e.id'

/** Upcoming events from the texts the change feed keeps, so that nothing is parsed or redacted again. */
export const listEvents: Handler<'listEvents'> = async (call) => {
  const { state, zipCode, radius } = call.query
  if (zipCode === undefined || zipCode === '') return { jsonText: await upcomingText(call.db, call.now, state || null) }
  const centre = await zipCentre(zipCode)
  // An unknown ZIP code finds nothing: answering everything would pretend to be near.
  if (!centre) return jsonArray([])
  const events = await upcomingPlaces(call.db, call.now, state || null)
  const near = events.filter(
    ({ latitude, longitude }) =>
      latitude !== null && longitude !== null && isWithinMiles(centre, { latitude, longitude }, radius ?? defaultRadiusMiles),
  )
  return jsonArray(near.map(({ body }) => body))
}

async function upcomingText(db: Knex, now: Date, state: string | null): Promise<string> {
  const { rows } = await db.raw<{ rows: { list: string }[] }>(
    `select '[' || coalesce(string_agg(l.body, ',' ${ORDER}), '') || ']' as list ${UPCOMING}`,
    [now, state, state] as Knex.Value[],
  )
  return rows[0]?.list ?? '[]'
}

interface PlacedText {
  readonly latitude: number | null
  readonly longitude: number | null
  readonly body: string
}

async function upcomingPlaces(db: Knex, now: Date, state: string | null): Promise<PlacedText[]> {
  const { rows } = await db.raw<{ rows: PlacedText[] }>(`select e.latitude, e.longitude, l.body ${UPCOMING} ${ORDER}`, [
    now,
    state,
    state,
  ] as Knex.Value[])
  return rows
}

/** One event for anyone; past ones too, for their links stay in use. */
export const getEvent: Handler<'getEvent'> = async (call) => {
  const jsonText = await findFeedText(call.db, 'public', 'events', String(call.params.id))
  if (jsonText === undefined) throw eventNotFound()
  return { jsonText }
}
