import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { defaultRadiusMiles, eventsWithin } from '#shared/events/event-search.ts'
import { searchedWords } from '#shared/text/matching.ts'
import type { Make } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { jsonArray, pageBytes, PUBLIC_FEED_VERSION, publicFeedVersion } from '../feed/change-feed.ts'
import { endsAt } from '../db/event-end.ts'
import { zipCentre } from './event-place.ts'
import { eventNotFound } from './event-policy.ts'
import { findPublicEvent } from './event-presenter.ts'
import { listSearchBoxes, type SearchBox } from './search-box.ts'

/** Invented states must not fill memory. */
const maxKeptLists = 60

/** A page has two thousand events at most where nothing else is asked for: 2 MB of the smallest ones. */
const maxOnPage = 2_000

/** The indexes of the list hold these. Whether the organizer's account is closed is seen by the feed. */
const isListed = 'e.visibility is null and e.taken_down_at is null'
/** Is written as in the index. Phones sort the same way, whatever the database's language. */
const position = 'e.start_date, plain_text(e.name) collate "C", e.id'
const inState = '((:state)::text is null or e.state = :state)'
/** An event is over by its own place's clock, so the end is asked per row. */
const isNotOver = `${endsAt} > (:now)::timestamptz`
/** The day of the UTC: no clock is more than a day ahead of it. */
const today = `((:now)::timestamptz at time zone 'UTC')::date`

export const listEvents: Make<'listEvents'> = async (call) => {
  const { state, zipCode, radius = defaultRadiusMiles, q = '', limit, after } = call.query
  const page = { now: call.now, state: state || null, limit: limit ?? null, after: positionIn(after), ids: null }
  const isNear = zipCode !== undefined && zipCode !== ''
  if (!isNear && q.trim() === '') return await upcomingList(call.db, page)
  const centre = isNear ? await zipCentre(zipCode) : undefined
  // To answer everything would pretend to be near.
  if (isNear && !centre) return jsonArray([])
  const boxes = centre ? listSearchBoxes(centre, radius) : null
  const found = await findUpcoming(call.db, { now: call.now, state: page.state, boxes, words: searchedWords(q) })
  const near = centre ? eventsWithin(found, centre, radius) : found
  return await readPage(call.db, { ...page, ids: near.map(({ id }) => id) })
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
  /** The first of its events, or the one that follows them, ends at this time; it is null when none ends. */
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

/** Gives the position, the end and the size of the text of visible events, in the order of the list. */
const readEvents = (where: string, most: string) => `
  select e.id, e.start_date, e.name, e.until, l.size from (
    select e.id, e.start_date, plain_text(e.name) as name, ${endsAt} as until from events e
    where ${isListed} and ${where} order by ${position}
  ) e cross join lateral (
    select octet_length(body) as size from sync_log
    where scope = 'public' and collection = 'events' and doc_id = e.id::text and not deleted limit 1
  ) l order by e.start_date, e.name collate "C", e.id limit ${most}`

/**
 * Those that run, or are about to, are found by their days and come first; the list goes on in the order of its index
 * until the page is full. One more than the page is read, which says whether there are more.
 */
function candidatesOf({ state, after, ids }: Page): string {
  const further = [
    ...(state === null ? [] : ['e.state = :state']),
    ...(after === null ? [] : [`(${position}) > ((:start)::date, (:name)::text collate "C", (:id)::bigint)`]),
  ]
  const where = (...conditions: string[]) => [...conditions, ...further].join(' and ')
  if (ids !== null) return `found as (${readEvents(where('e.id = any(:ids)', isNotOver), ':most + 1')})`
  const days = `daterange(e.start_date, e.end_date, '[]') && daterange(${today} - 2, ${today} + 1, '[]')`
  const running = readEvents(where(days, `e.start_date <= ${today} + 1`, isNotOver), ':most + 1')
  const room = ':most + 1 - (select count(*) from running)'
  return `running as materialized (${running}),
    coming as (${readEvents(where(`e.start_date > ${today} + 1`), room)}),
    found as (select * from running union all select * from coming)`
}

async function readPage(db: Knex, page: Page): Promise<Omit<KeptList, 'from' | 'etag'>> {
  const { now, state, limit, after, ids } = page
  const [start, name, id] = after ?? []
  const { rows } = await db.raw<{
    rows: { list: string; last: string | null; more: boolean; until: Date | null; feedVersion: string }[]
  }>(
    `with ${candidatesOf(page)}, numbered as (
       select *, sum(size + 1) over listed as bytes, row_number() over listed as number from found
       window listed as (order by start_date, name collate "C", id)
     ), page as (
       select * from numbered where bytes <= :bytes and number <= :most
     ), texts as (
       select p.number, l.body from page p join sync_log l
         on l.scope = 'public' and l.collection = 'events' and l.doc_id = p.id::text
     )
     select '[' || coalesce((select string_agg(body, ',' order by number) from texts), '') || ']' as list,
       (select start_date || ' ' || id || ' ' || name from page order by number desc limit 1) as last,
       (select count(*) from page) < (select count(*) from found) as more,
       (select min(until) from found) as until, (${PUBLIC_FEED_VERSION}) as "feedVersion"`,
    { now, state, start, name, id, ids, bytes: pageBytes, most: limit ?? maxOnPage } as unknown as Knex.ValueDict,
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

interface Wanted {
  readonly now: Date
  readonly state: string | null
  readonly boxes: readonly SearchBox[] | null
  readonly words: readonly string[]
}

/**
 * Lists them without texts: most events are too far away to be read, or lack a word. Only those in the boxes are read, if
 * any, and only those that the index of trigrams finds, if there are words.
 */
async function findUpcoming(db: Knex, { now, state, boxes, words }: Wanted): Promise<Place[]> {
  const places = boxes?.map(
    ({ west, south, east, north }) =>
      `point(e.longitude, e.latitude) <@ box(point(${west}, ${south}), point(${east}, ${north}))`,
  )
  const days = `daterange(e.start_date, e.end_date, '[]') && daterange(${today} - 2, null)`
  const inWords = words.map((_, index) => `and w.words like :word${index}`).join(' ')
  const patterns = words.map((word, index) => [`word${index}`, `%${word.replace(/[\\%_]/g, '\\$&')}%`] as const)
  const { rows } = await db.raw<{ rows: Place[] }>(
    `select e.id, e.latitude, e.longitude from events e
     ${words.length === 0 ? '' : `join event_words w on w.event_id = e.id ${inWords}`}
     where ${isListed} and ${inState} and ${isNotOver} and ${places ? `(${places.join(' or ')}) and ${days}` : `e.end_date >= ${today} - 2`}`,
    { now, state, ...Object.fromEntries(patterns) } as unknown as Knex.ValueDict,
  )
  return rows
}

export const getEvent: Make<'getEvent'> = async (call) => {
  const found = await findPublicEvent(call.db, call.params.id)
  if (!found) throw eventNotFound()
  return { jsonText: found.jsonText }
}
