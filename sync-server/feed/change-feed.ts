import { relation, type Relation } from '../db/column-names.ts'
import type { Knex } from 'knex'
import { runPrepared } from '../db/prepared.ts'

/** The database uses the same names: `org:7`, `account:7` or `public`. */
export type FeedScope = `org:${number}` | `account:${number}` | 'public'

/** `beacons` is the public part of an approved application. */
export type FeedCollection = 'events' | 'applications' | 'account' | 'beacons'

/** An audience sees this document from now on; null means that it sees none. */
export interface Change {
  readonly scope: FeedScope
  readonly collection: FeedCollection
  readonly docId: string
  readonly document: object | null
  /** The audience hears of it although it has no document: it keeps none, and asks for it where it is shown. */
  readonly isNews?: boolean | undefined
}

export interface Written {
  readonly id: number
  readonly organizerId: number
}

/** `isForOrganizer` is false if only the public is to know. */
export interface Audience {
  readonly isForOrganizer?: boolean
}

/** Null means that it is gone, or not visible. */
interface Presented {
  readonly organizers: object | null
  readonly isNewsToOrganizers?: boolean
  readonly everybodys: object | null
}

/** Takes ids. What `present` does not find disappears. */
export async function changesOf(
  written: readonly Written[],
  collections: { readonly organizers: FeedCollection; readonly everybodys: FeedCollection },
  { isForOrganizer = true }: Audience = {},
  present: (ids: readonly number[]) => Promise<readonly (readonly [id: number, Presented])[]>,
): Promise<ReadonlyMap<number, readonly Change[]>> {
  if (written.length === 0) return new Map()
  const found = new Map(await present([...new Set(written.map(({ id }) => id))]))
  return new Map(
    written.map(({ id, organizerId }): [number, readonly Change[]] => {
      const docId = String(id)
      const { organizers = null, isNewsToOrganizers: isNews, everybodys = null } = found.get(id) ?? {}
      const shown: Change = { scope: 'public', collection: collections.everybodys, docId, document: everybodys }
      if (!isForOrganizer) return [id, [shown]]
      const scope = `org:${organizerId}` as const
      return [id, [{ scope, collection: collections.organizers, docId, document: organizers, isNews }, shown]]
    }),
  )
}

/** Says where a scope is. `historyId` is null before its first change; no two histories have the same at a version. */
export interface FeedHead {
  readonly version: number
  readonly epoch: string
  readonly historyId: string | null
}

/** The payload is `<scope> <version>`. */
export const FEED_CHANNEL = 'sync_feed'

/** Part of JSON text: nothing in it may need escaping. */
const docIdPattern = /^[\w-]{1,20}$/

/**
 * One statement, so that the locks are held for one round trip: locks the scopes' rows in a fixed order (public last),
 * gives each document the next version, and NOTIFYs. Hiding a document that an audience does not see counts nothing, unless it is news.
 * @param scope whose head is answered too, moved or not; the part `own` holds it
 * @param more further parts of its `with` and, in `select`, further rows of its answer
 */
export function feedStatement(
  changes: readonly Change[],
  scope: FeedScope | undefined,
  more: Relation & { readonly select?: string | undefined },
): Relation {
  // The last of several changes of one document counts.
  const latest = new Map<string, Change>()
  for (const change of changes) {
    if (!docIdPattern.test(change.docId))
      throw new Error(`A document of ${change.collection} has the unusable id ${JSON.stringify(change.docId)}`)
    const key = `${change.scope} ${change.collection} ${change.docId}`
    latest.delete(key)
    latest.set(key, change)
  }
  const documents = relation(
    'c',
    [...latest.values()].map(({ document, isNews = false, ...change }, position) => {
      return { ...change, position, isNews, body: document && JSON.stringify(document) }
    }),
    { scope: 'text', collection: 'text', docId: 'text', body: 'text', isNews: 'boolean', position: 'int' },
  )
  const sql = `
with counted as (
  select c.*, row_number() over (partition by scope order by position desc) - 1 as back
  from ${documents.sql}
  where body is not null or is_news or exists (
    select from sync_log l
    where l.scope = c.scope and l.collection = c.collection and l.doc_id = c.doc_id and not l.deleted
  )
), moved as (
  insert into sync_scope as s (scope, version)
  select scope, count(*) from counted group by scope order by scope = 'public', scope collate "C"
  on conflict (scope) do update set version = s.version + excluded.version
  returning scope, version
), noted as (
  insert into sync_history (scope, version) select scope, version from moved returning scope, history_id
), written as (
  insert into sync_log (scope, collection, doc_id, version, deleted, body, updated_at)
  select c.scope, c.collection, c.doc_id, m.version - c.back, c.body is null, c.body, now()
  from counted c join moved m on m.scope = c.scope
  on conflict (scope, collection, doc_id) do update
    set version = excluded.version, deleted = excluded.deleted, body = excluded.body, updated_at = excluded.updated_at
), own as (
  select o.scope, coalesce(m.version, s.version, 0) as version, coalesce(n.history_id, h.history_id) as history_id
  from (values (?::text)) as o (scope) left join moved m on m.scope = o.scope left join noted n on n.scope = o.scope
  left join sync_scope s on s.scope = o.scope left join sync_history h on h.scope = o.scope and h.version = s.version
  where o.scope is not null
)${more.sql}
select scope, version, history_id as "historyId", (select epoch from sync_epoch) as epoch, null::text as told from own
union all
select scope, version, null, null, pg_notify('${FEED_CHANNEL}', scope || ' ' || version)::text from moved
${more.select ?? ''}`
  const bindings = [...documents.bindings, scope ?? null, ...more.bindings] as Knex.Value[]
  return { sql, bindings, shape: documents.shape + more.shape }
}

/** A statement of `feedStatement` answers these rows. */
export function headFrom(rows: readonly object[], scope: FeedScope | undefined): FeedHead | undefined {
  return (rows as (FeedHead & { scope: string })[]).find((row) => row.scope === scope && row.epoch)
}

/** It has to be the last statement of its transaction. */
export async function recordChanges(trx: Knex.Transaction, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return
  const { sql, bindings, shape } = feedStatement(changes, undefined, { sql: '', bindings: [], shape: '' })
  await runPrepared(trx, `record-changes-${shape}`, sql, bindings)
}

/**
 * Lists JSON texts without `key` and `version`, which pull adds, in the order of `docIds`; what the audience does not see
 * is missing.
 */
export async function listFeedTexts(
  db: Knex,
  scope: FeedScope,
  collection: FeedCollection,
  docIds: readonly string[],
): Promise<string[]> {
  const rows = await db('sync_log')
    .where({ scope, collection, deleted: false })
    .whereRaw('doc_id = any(?)', [docIds as unknown as Knex.Value])
    .select('docId', 'body')
  const byId = new Map(rows.map((row) => [row.docId, row.body ?? '']))
  return docIds.flatMap((docId) => byId.get(docId) ?? [])
}

/** Limits one answer's documents. */
export const pageBytes = 2_000_000

/** An archived application's text is not in the feed, so its size is guessed. */
const bytesOfUnknown = 4_000

/**
 * Finds it without reading the texts; it is undefined when `after` is none of the list.
 * @param list all ids, in its order
 */
export async function idsOfPage(
  db: Knex,
  organizerId: number,
  collection: FeedCollection,
  list: readonly number[],
  after: number | undefined,
): Promise<{ readonly ids: number[]; readonly next: string | null } | undefined> {
  const start = after === undefined ? 0 : list.indexOf(after) + 1
  if (after !== undefined && start === 0) return undefined
  const left = list.slice(start)
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `select id from (
       select g.id, g.position, sum(coalesce(octet_length(l.body), ${bytesOfUnknown}) + 1) over (order by g.position) as bytes
       from unnest(?::text[]) with ordinality as g (id, position)
       left join sync_log l on l.scope = ? and l.collection = ? and l.doc_id = g.id
     ) sized where bytes <= ? order by position`,
    [left.map(String) as unknown as Knex.Value, `org:${organizerId}`, collection, pageBytes],
  )
  const isLast = rows.length === left.length
  return { ids: rows.map(({ id }) => Number(id)), next: isLast ? null : (rows.at(-1)?.id ?? null) }
}

export function jsonArray(texts: readonly string[]): { readonly jsonText: string } {
  return { jsonText: `[${texts.join(',')}]` }
}

/** This SQL gives a text that names the state of everything public in one history. */
export const PUBLIC_FEED_VERSION = `select e.epoch || ' ' || coalesce(h.version, 0) || ' ' || coalesce(h.history_id, '') from sync_epoch e left join lateral (
  select version, history_id from sync_history where scope = 'public' order by version desc limit 1
) h on true`

interface VersionReadings {
  running: number
  /** A caller who asks now may wait for it. */
  next: Promise<string> | undefined
  begin: () => void
}

/** One at a time would serialize callers; without a limit nothing would be shared. */
const readingsAtOnce = 3

const versionReadings = new WeakMap<Knex, VersionReadings>()

/** Callers share only readings that begin after they asked, so that every earlier commit is seen. */
export function publicFeedVersion(db: Knex): Promise<string> {
  const readings = versionReadings.get(db) ?? { running: 0, next: undefined, begin: () => undefined }
  versionReadings.set(db, readings)
  if (readings.next) return readings.next
  const turn = new Promise<void>((resolve) => {
    readings.begin = resolve
  })
  const next = turn.then(() => readPublicFeedVersion(db, readings))
  readings.next = next
  if (readings.running < readingsAtOnce) readings.begin()
  return next
}

async function readPublicFeedVersion(db: Knex, readings: VersionReadings): Promise<string> {
  readings.next = undefined
  readings.running += 1
  try {
    const statement = `select (${PUBLIC_FEED_VERSION}) as version`
    const [row] = await runPrepared<{ version: string }>(db, 'public-feed-version', statement)
    if (!row) throw new Error('The table sync_epoch has lost its row')
    return row.version
  } finally {
    readings.running -= 1
    if (readings.next) readings.begin()
  }
}
