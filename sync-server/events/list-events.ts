import type { Knex } from 'knex'
import { defaultRadiusMiles, eventsWithin } from '#shared/events/event-search.ts'
import type { Handler } from '../calls/handler.ts'
import { findFeedText, jsonArray, listFeedTexts, PUBLIC_MARK, publicMark } from '../feed/change-feed.ts'
import { zipCentre } from './event-place.ts'
import { eventNotFound } from './event-policy.ts'

/** One for each state and one for all of them; whoever asks for invented states does not fill the memory. */
const mostKeptLists = 60

// An event is upcoming by the clock of its own place, so the day is asked per row.
const UPCOMING = `
from events e
join sync_log l on l.scope = 'public' and l.collection = 'events' and l.doc_id = e.id::text and not l.deleted
where e.end_date >= (?::timestamptz at time zone e.time_zone)::date and (?::text is null or e.state = ?::text)`
// By code, whatever the database's language: phones order what they keep in the same way.
const ORDER = 'order by e.start_date, lower(e.name) collate "C", e.id'

/** Upcoming events from the texts the change feed keeps, so that nothing is parsed or redacted again. */
export const listEvents: Handler<'listEvents'> = async (call) => {
  const { state, zipCode, radius } = call.query
  if (zipCode === undefined || zipCode === '') return { jsonText: await upcomingText(call.db, call.now, state || null) }
  const centre = await zipCentre(zipCode)
  // An unknown ZIP code finds nothing: answering everything would pretend to be near.
  if (!centre) return jsonArray([])
  const events = await upcomingPlaces(call.db, call.now, state || null)
  const near = eventsWithin(events, centre, radius ?? defaultRadiusMiles)
  const ids = near.map(({ id }) => String(id))
  return jsonArray(await listFeedTexts(call.db, 'public', 'events', ids))
}

interface KeptList {
  /** State of the public scope that the text was made from. */
  readonly mark: string
  readonly text: string
  readonly from: Date
  /** When the first of its events is over; null when none ever is. */
  readonly until: Date | null
}

/** Per database pool, by state; '' for all of them. */
const keptLists = new WeakMap<Knex, Map<string, KeptList>>()

/**
 * The list is the same for everyone until something public changes or an event is over, so it is kept as text. Whether it
 * still stands is asked of the database each time, so that several processes never disagree.
 */
async function upcomingText(db: Knex, now: Date, state: string | null): Promise<string> {
  const mark = await publicMark(db)
  const kept = keptLists.get(db)?.get(state ?? '')
  if (kept?.mark === mark && now >= kept.from && (kept.until === null || now < kept.until)) return kept.text
  const { rows } = await db.raw<{ rows: { list: string; until: Date | null; mark: string }[] }>(
    `select '[' || coalesce(string_agg(l.body, ',' ${ORDER}), '') || ']' as list,
       min((e.end_date + 1)::timestamp at time zone e.time_zone) as until, (${PUBLIC_MARK}) as mark ${UPCOMING}`,
    [now, state, state] as Knex.Value[],
  )
  const [made] = rows
  if (!made) throw new Error('An aggregate answered no row')
  const lists = keptLists.get(db) ?? new Map<string, KeptList>()
  keptLists.set(db, lists)
  if (lists.size >= mostKeptLists) lists.clear()
  lists.set(state ?? '', { mark: made.mark, text: made.list, from: now, until: made.until })
  return made.list
}

interface Place {
  readonly id: number
  readonly latitude: number | null
  readonly longitude: number | null
}

/** Where upcoming events are, without their texts: most of them are too far away to be read. */
async function upcomingPlaces(db: Knex, now: Date, state: string | null): Promise<Place[]> {
  const { rows } = await db.raw<{ rows: Place[] }>(`select e.id, e.latitude, e.longitude ${UPCOMING} ${ORDER}`, [
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
