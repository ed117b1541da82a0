import type { Knex } from 'knex'
import { defaultRadiusMiles, eventsWithin } from '#shared/events/event-search.ts'
import type { Handler } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { findFeedText, jsonArray, pageBytes, PUBLIC_FEED_VERSION, publicFeedVersion } from '../feed/change-feed.ts'
import { zipCentre } from './event-place.ts'
import { eventNotFound } from './event-policy.ts'

/** Invented states must not fill memory. */
const mostKeptLists = 60

// An event is upcoming by its own place's clock, so the day is asked per row.
const UPCOMING = `
from events e
join sync_log l on l.scope = 'public' and l.collection = 'events' and l.doc_id = e.id::text and not l.deleted
where e.end_date >= (?::timestamptz at time zone e.time_zone)::date and (?::text is null or e.state = ?::text)`
// By code point, whatever the database's language: phones sort the same way.
const ORDER = 'order by e.start_date, lower(e.name) collate "C", e.id'

export const listEvents: Handler<'listEvents'> = async (call) => {
  const { state, zipCode, radius, limit, after } = call.query
  const page = { now: call.now, state: state || null, limit: limit ?? null, after: positionIn(after), ids: null }
  if (zipCode === undefined || zipCode === '') return await upcomingList(call.db, page)
  const centre = await zipCentre(zipCode)
  // To answer everything would pretend to be near.
  if (!centre) return jsonArray([])
  const events = await upcomingPlaces(call.db, call.now, page.state)
  const near = eventsWithin(events, centre, radius ?? defaultRadiusMiles)
  return await readPage(call.db, { ...page, ids: near.map(({ id }) => id) })
}

/** Start, lower-case name and id of the page's last event. */
type PositionInList = readonly [string, string, number]

interface Page {
  readonly now: Date
  readonly state: string | null
  readonly limit: number | null
  readonly after: PositionInList | null
  readonly ids: readonly number[] | null
}

/** Throws `invalid_input` for what no page of ours ended with. */
function positionIn(after: string | undefined): PositionInList | null {
  if (after === undefined) return null
  const [, start, id, name] =
    /^(\d{4}-\d\d-\d\d) (\d{1,12}) ([^\0]*)$/.exec(Buffer.from(after, 'base64url').toString()) ?? []
  if (start !== undefined && name !== undefined && !Number.isNaN(Date.parse(start))) return [start, name, Number(id)]
  throw new ProblemError('invalid_input', 'This page does not exist.', { fields: { after: 'Unknown' } })
}

interface KeptList {
  readonly feedVersion: string
  readonly jsonText: string
  readonly next: string | null
  readonly from: Date
  /** End of the first of its events; null when none ends. */
  readonly until: Date | null
}

/** Per database pool, by state and limit; '' for none. */
const keptLists = new WeakMap<Knex, Map<string, KeptList>>()

/**
 * The first page is kept as text until something public changes or an event ends. The database is asked each time:
 * several processes never disagree.
 */
async function upcomingList(db: Knex, page: Page): Promise<Pick<KeptList, 'jsonText' | 'next'>> {
  if (page.after !== null) return await readPage(db, page)
  const { now } = page
  const query = `${page.limit ?? ''} ${page.state ?? ''}`
  const feedVersion = await publicFeedVersion(db)
  const kept = keptLists.get(db)?.get(query)
  if (kept?.feedVersion === feedVersion && now >= kept.from && (kept.until === null || now < kept.until)) return kept
  const made = await readPage(db, page)
  const lists = keptLists.get(db) ?? new Map<string, KeptList>()
  keptLists.set(db, lists)
  if (lists.size >= mostKeptLists) lists.clear()
  lists.set(query, { ...made, from: now })
  return made
}

async function readPage(db: Knex, { now, state, limit, after, ids }: Page): Promise<Omit<KeptList, 'from'>> {
  const { rows } = await db.raw<{
    rows: { list: string; last: string | null; more: boolean; until: Date | null; feedVersion: string }[]
  }>(
    `with found as (
       select e.id, e.start_date, e.name, (e.end_date + 1)::timestamp at time zone e.time_zone as until, l.body,
         sum(octet_length(l.body) + 1) over listed as bytes, row_number() over listed as number
       ${UPCOMING} and (?::bigint[] is null or e.id = any(?::bigint[]))
         and (?::date is null or (e.start_date, lower(e.name) collate "C", e.id) > (?::date, ?::text collate "C", ?::bigint))
       window listed as (${ORDER})
     ), page as (
       select * from found e where bytes <= ? and number <= coalesce(?::int, number)
     )
     select '[' || coalesce((select string_agg(body, ',' ${ORDER}) from page e), '') || ']' as list,
       (select e.start_date || ' ' || e.id || ' ' || lower(e.name) from page e order by number desc limit 1) as last,
       (select count(*) from page) < (select count(*) from found) as more,
       (select min(until) from found) as until, (${PUBLIC_FEED_VERSION}) as "feedVersion"`,
    [
      now,
      state,
      state,
      ids,
      ids,
      after?.[0] ?? null,
      ...(after ?? [null, null, null]),
      pageBytes,
      limit,
    ] as unknown as Knex.Value[],
  )
  const [made] = rows
  if (!made) throw new Error('An aggregate answered no row')
  const next = made.more && made.last !== null ? Buffer.from(made.last).toString('base64url') : null
  return { jsonText: made.list, next, until: made.until, feedVersion: made.feedVersion }
}

interface Place {
  readonly id: number
  readonly latitude: number | null
  readonly longitude: number | null
}

/** Without texts: most events are too far away to be read. */
async function upcomingPlaces(db: Knex, now: Date, state: string | null): Promise<Place[]> {
  const { rows } = await db.raw<{ rows: Place[] }>(`select e.id, e.latitude, e.longitude ${UPCOMING} ${ORDER}`, [
    now,
    state,
    state,
  ] as Knex.Value[])
  return rows
}

/** Past ones too, because their links stay in use. */
export const getEvent: Handler<'getEvent'> = async (call) => {
  const jsonText = await findFeedText(call.db, 'public', 'events', String(call.params.id))
  if (jsonText === undefined) throw eventNotFound()
  return { jsonText }
}
