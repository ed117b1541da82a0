import { relation, type Relation } from '../db/column-names.ts'
import type { Knex } from 'knex'

/** As the database names it: `org:7`, `account:7` or `public`. */
export type FeedScope = `org:${number}` | `account:${number}` | 'public'

/** `beacons` is the public part of an approved application. */
export type FeedCollection = 'events' | 'applications' | 'account' | 'beacons'

/** A document as an audience sees it from now on; null: not at all. */
export interface Change {
  readonly scope: FeedScope
  readonly collection: FeedCollection
  readonly docId: string
  readonly document: object | null
}

export interface Written {
  readonly id: number
  readonly organizerId: number
}

/** False for the public alone. */
export interface Audience {
  readonly isForOrganizer?: boolean
}

/** Null: gone, or not visible. */
interface Presented {
  readonly organizers: object | null
  readonly everybodys: object | null
}

/** By id. What `present` does not find disappears. */
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
      const { organizers = null, everybodys = null } = found.get(id) ?? {}
      const shown: Change = { scope: 'public', collection: collections.everybodys, docId, document: everybodys }
      if (!isForOrganizer) return [id, [shown]]
      const scope = `org:${organizerId}` as const
      return [id, [{ scope, collection: collections.organizers, docId, document: organizers }, shown]]
    }),
  )
}

type FeedVersions = ReadonlyMap<FeedScope, number>

/** Payload: `<scope> <version> <number of versions given> <collections, comma-separated>`. */
export const FEED_CHANNEL = 'sync_feed'

/** Part of JSON text: nothing in it may need escaping. */
const docIdPattern = /^[\w-]{1,20}$/

/**
 * One statement, so that the locks are held for one round trip. `back` is a document's distance from the newest
 * version.
 */
const recordSql = (scopes: Relation, documents: Relation) => `
with given as (
  select * from ${scopes.sql}
), scopes as (
  insert into sync_scope as s (scope, version)
  select scope, given from given
  on conflict (scope) do update set version = s.version + excluded.version
  returning scope, version
), noted as (
  insert into sync_history (scope, version) select scope, version from scopes
), written as (
  insert into sync_log (scope, collection, doc_id, version, deleted, body, updated_at)
  select c.scope, c.collection, c.doc_id, s.version - c.back, c.body is null, c.body, now()
  from ${documents.sql}
  join scopes s on s.scope = c.scope
  on conflict (scope, collection, doc_id) do update
    set version = excluded.version, deleted = excluded.deleted, body = excluded.body, updated_at = excluded.updated_at
)
select s.scope, s.version, pg_notify('${FEED_CHANNEL}', s.scope || ' ' || s.version || ' ' || g.given || ' ' || g.collections)
from scopes s join given g on g.scope = s.scope`

/**
 * The last statements of their transaction: locks the scopes' rows in a fixed order (public last), gives each document
 * the next version, and NOTIFYs. Of several changes of one document the last counts. Hiding a document that an audience
 * does not see counts nothing.
 */
export async function recordChanges(trx: Knex.Transaction, changes: readonly Change[]): Promise<FeedVersions> {
  return (await recordChangesOf(trx, [changes])).newest
}

export interface RecordedChanges {
  readonly newest: FeedVersions
  /** One for each call. A change that a later call wrote over counts as that later one. */
  readonly ofEach: readonly FeedVersions[]
}

export async function recordChangesOf(
  trx: Knex.Transaction,
  calls: readonly (readonly Change[])[],
): Promise<RecordedChanges> {
  const latest = new Map<string, Change>()
  for (const change of calls.flat()) {
    if (!docIdPattern.test(change.docId))
      throw new Error(`A document of ${change.collection} has the unusable id ${JSON.stringify(change.docId)}`)
    const key = keyOf(change)
    latest.delete(key)
    latest.set(key, change)
  }
  for (const key of await keysUnseen(trx, [...latest.values()])) latest.delete(key)
  if (latest.size === 0) return { newest: new Map(), ofEach: calls.map(() => new Map()) }

  const byScope = new Map<FeedScope, Change[]>()
  for (const change of latest.values()) {
    const group = byScope.get(change.scope)
    if (group) group.push(change)
    else byScope.set(change.scope, [change])
  }
  const scopes = [...byScope].sort(([one], [other]) => inLockOrder(one, other))
  const rows = scopes.flatMap(([, group]) =>
    group.map((change, index) => ({ ...change, back: group.length - 1 - index })),
  )
  const given = relation(
    'g',
    scopes.map(([scope, group]) => {
      const collections = [...new Set(group.map(({ collection }) => collection))].join(',')
      return { scope, given: group.length, collections }
    }),
    { scope: 'text', given: 'bigint', collections: 'text' },
  )
  const documents = relation(
    'c',
    rows.map(({ scope, collection, docId, back, document }) => {
      return { scope, collection, docId, back, body: document && JSON.stringify(document) }
    }),
    { scope: 'text', collection: 'text', docId: 'text', back: 'int', body: 'text' },
  )
  const answer = (await trx
    .raw(recordSql(given, documents), [...given.bindings, ...documents.bindings])
    .options({ name: 'record-changes' })) as { rows: { scope: FeedScope; version: number }[] }
  const newest = new Map(answer.rows.map((row) => [row.scope, row.version]))
  const back = new Map(rows.map((row) => [keyOf(row), row.back]))
  const isRecorded = (change: Change) => back.has(keyOf(change))
  const versionOf = (change: Change) => (newest.get(change.scope) ?? 0) - (back.get(keyOf(change)) ?? 0)
  return { newest, ofEach: calls.map((changes) => newestOf(changes.filter(isRecorded), versionOf)) }
}

const keyOf = ({ scope, collection, docId }: Omit<Change, 'document'>) => `${scope} ${collection} ${docId}`

async function keysUnseen(trx: Knex, changes: readonly Change[]): Promise<string[]> {
  const gone = changes.filter(({ document }) => document === null)
  if (gone.length === 0) return []
  const documents = gone.map(({ scope, collection, docId }) => ({ scope, collection, docId }))
  const { sql, bindings } = relation('g', documents, { scope: 'text', collection: 'text', docId: 'text' })
  const { rows } = (await trx
    .raw(
      `select l.scope, l.collection, l.doc_id as "docId"
       from ${sql} join sync_log l using (scope, collection, doc_id) where not l.deleted`,
      bindings,
    )
    .options({ name: 'documents-seen' })) as { rows: Omit<Change, 'document'>[] }
  const seen = new Set(rows.map(keyOf))
  return gone.map(keyOf).filter((key) => !seen.has(key))
}

function newestOf(changes: readonly Change[], versionOf: (change: Change) => number): FeedVersions {
  const newest = new Map<FeedScope, number>()
  for (const change of changes) newest.set(change.scope, Math.max(newest.get(change.scope) ?? 0, versionOf(change)))
  return newest
}

/** The same order in every transaction, so that none deadlocks. */
function inLockOrder(a: FeedScope, b: FeedScope): number {
  if (a === 'public') return 1
  if (b === 'public') return -1
  return a < b ? -1 : 1
}

/** JSON text without `key` and `version`, which pull adds; undefined when the audience does not see the document. */
export async function findFeedText(
  db: Knex,
  scope: FeedScope,
  collection: FeedCollection,
  docId: string,
): Promise<string | undefined> {
  const row = await db('sync_log').where({ scope, collection, docId, deleted: false }).first('body')
  return row?.body ?? undefined
}

/** Visible ones in the order of `docIds`. */
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

/** Limit for one answer's documents. */
export const pageBytes = 2_000_000

/** Of an archived application, whose text is not in the feed. */
const bytesOfUnknown = 4_000

/**
 * Found without reading the texts; undefined when `after` is none of the list.
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

/** 0 for a scope without changes. */
export async function scopeVersion(db: Knex, scope: FeedScope): Promise<number> {
  const row = await db('sync_scope').where({ scope }).first('version')
  return row?.version ?? 0
}

/** SQL for a text that names the state of everything public in one history. */
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
    const { rows } = (await db
      .raw(`select (${PUBLIC_FEED_VERSION}) as version`)
      .options({ name: 'public-feed-version' })) as {
      rows: { version: string }[]
    }
    const version = rows[0]?.version
    if (version === undefined) throw new Error('The table sync_epoch has lost its row')
    return version
  } finally {
    readings.running -= 1
    if (readings.next) readings.begin()
  }
}
