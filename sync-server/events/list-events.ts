import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { defaultRadiusMiles, eventsWithin } from '#shared/events/event-search.ts'
import { wordFinder } from '#shared/text/matching.ts'
import type { Make } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { findFeedText, jsonArray, pageBytes, PUBLIC_FEED_VERSION, publicFeedVersion } from '../feed/change-feed.ts'
import { endsAt } from '../db/event-end.ts'
import { zipCentre } from './event-place.ts'
import { eventNotFound } from './event-policy.ts'

/** Invented states must not fill memory. */
const maxKeptLists = 60

// An event is over by its own place's clock, so the end is asked per row.
const UPCOMING = `
from events e
join sync_log l on l.scope = 'public' and l.collection = 'events' and l.doc_id = e.id::text and not l.deleted
where e.visibility is null and ${endsAt} > ?::timestamptz and (?::text is null or e.state = ?::text)`
// Phones sort the same way, whatever the database's language.
const ORDER = 'order by e.start_date, plain_text(e.name) collate "C", e.id'

export const listEvents: Make<'listEvents'> = async (call) => {
  const { state, zipCode, radius, q = '', limit, after } = call.query
  const page = { now: call.now, state: state || null, limit: limit ?? null, after: positionIn(after), ids: null }
  const isNear = zipCode !== undefined && zipCode !== ''
  if (!isNear && q.trim() === '') return await upcomingList(call.db, page)
  const centre = isNear ? await zipCentre(zipCode) : undefined
  // To answer everything would pretend to be near.
  if (isNear && !centre) return jsonArray([])
  const events = await upcomingPlaces(call.db, call.now, page.state)
  const near = centre ? eventsWithin(events, centre, radius ?? defaultRadiusMiles) : events
  const ids = near.map(({ id }) => id)
  return await readPage(call.db, { ...page, ids: q.trim() === '' ? ids : await idsWithWords(call.db, ids, q) })
}

/** Holds start, name as `plain_text` has it, and id of the page's last event. */
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
  readonly etag: string
  readonly from: Date
  /** The first of its events ends at this time; it is null when none ends. */
  readonly until: Date | null
}

/** Each database pool has its own, by state and limit; '' means no state. */
const keptLists = new WeakMap<Knex, Map<string, KeptList>>()

/**
 * The first page is kept as text until something public changes or an event ends. The database is asked each time:
 * several processes never disagree.
 */
async function upcomingList(
  db: Knex,
  page: Page,
): Promise<Pick<KeptList, 'jsonText' | 'next'> & { readonly etag?: string }> {
  if (page.after !== null) return await readPage(db, page)
  const { now } = page
  const query = `${page.limit ?? ''} ${page.state ?? ''}`
  const feedVersion = await publicFeedVersion(db)
  const kept = keptLists.get(db)?.get(query)
  if (kept?.feedVersion === feedVersion && now >= kept.from && (kept.until === null || now < kept.until)) return kept
  const made = await readPage(db, page)
  const lists = keptLists.get(db) ?? new Map<string, KeptList>()
  keptLists.set(db, lists)
  if (lists.size >= maxKeptLists) lists.clear()
  const etag = createHash('sha256').update(`${made.next} ${made.jsonText}`).digest('base64url')
  const list = { ...made, etag, from: now }
  lists.set(query, list)
  return list
}

async function readPage(db: Knex, { now, state, limit, after, ids }: Page): Promise<Omit<KeptList, 'from' | 'etag'>> {
  const { rows } = await db.raw<{
    rows: { list: string; last: string | null; more: boolean; until: Date | null; feedVersion: string }[]
  }>(
    `with found as (
       select e.id, e.start_date, e.name, ${endsAt} as until, l.body,
         sum(octet_length(l.body) + 1) over listed as bytes, row_number() over listed as number
       ${UPCOMING} and (?::bigint[] is null or e.id = any(?::bigint[]))
         and (?::date is null or (e.start_date, plain_text(e.name) collate "C", e.id) > (?::date, ?::text collate "C", ?::bigint))
       window listed as (${ORDER})
     ), page as (
       select * from found e where bytes <= ? and number <= coalesce(?::int, number)
     )
     select '[' || coalesce((select string_agg(body, ',' ${ORDER}) from page e), '') || ']' as list,
       (select e.start_date || ' ' || e.id || ' ' || plain_text(e.name) from page e order by number desc limit 1) as last,
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

/**
 * Uses the rule that devices search with. It is not in SQL: `plain_text` takes half a millisecond for a description,
 * this some microseconds.
 */
async function idsWithWords(db: Knex, ids: readonly number[], typed: string): Promise<number[]> {
  const events = await db('events')
    .whereRaw('id = any(?::bigint[])', [ids as unknown as Knex.Value])
    .select('id', 'name', 'location', 'description', 'city')
  const isFound = wordFinder(typed)
  return events
    .filter(({ name, location, description, city }) => isFound(name, location, description, city))
    .map(({ id }) => id)
}

/** Finds past ones, too, because their links stay in use. */
export const getEvent: Make<'getEvent'> = async (call) => {
  const jsonText = await findFeedText(call.db, 'public', 'events', String(call.params.id))
  if (jsonText === undefined) throw eventNotFound()
  return { jsonText }
}
