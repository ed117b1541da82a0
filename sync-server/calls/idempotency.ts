import { relation } from '../db/column-names.ts'
import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { ProblemCode } from '#shared/contract/problem.ts'
import type { IdempotencyKeyRow } from '../db/rows/operation-rows.ts'
import { daysBefore, deletionOf, inLots } from '../db/lots.ts'
import type { FeedScope } from '../feed/change-feed.ts'
import { checkpointOf } from '../feed/checkpoint.ts'
import type { FirstAnswer } from './handler.ts'
import { ProblemError } from './problems.ts'
import { runPrepared } from '../db/prepared.ts'

export interface StoredAnswer extends FirstAnswer {
  readonly status: number
  readonly refusal: ProblemCode | null
  readonly version: number | null
  readonly checkpoint: string | undefined
  /** The document of the caller's feed as it is now; null where it is gone or the answer was another. */
  readonly document: string | null
}

export type KeyScope = `user:${number}` | `device:${string}`

/** A queued change keeps its target when a newer app sends it in other words. */
export function requestTarget(route: string, params: Readonly<Record<string, unknown>>): string {
  return requestHash(route, params, null)
}

/** Ignores the order of fields, and whether an id is text or number. */
export function requestHash(route: string, params: Readonly<Record<string, unknown>>, body: unknown): string {
  const asText = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
  return createHash('sha256')
    .update(canonicalJson([route, asText, body ?? null]))
    .digest('hex')
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

export interface ClaimedKey {
  readonly scope: KeyScope
  readonly key: string
  readonly target: string
  /** After a restore: an earlier refusal counts no more. */
  readonly feedScope: FeedScope | null
}

export const scopedKey = ({ scope, key }: Pick<IdempotencyKeyRow, 'scope' | 'key'>) => `${scope} ${key}`

/**
 * A concurrent twin waits here. Keys are taken in one order, against deadlocks. Returns what is stored under those that
 * could not be taken.
 */
export async function claimKeys(
  trx: Knex.Transaction,
  keys: readonly ClaimedKey[],
): Promise<ReadonlyMap<ClaimedKey, StoredAnswer | ProblemError>> {
  if (keys.length === 0) return new Map()
  const wanted = relation(
    'g',
    keys.map(({ scope, key, target }) => ({ scope, key, target })),
    { scope: 'text', key: 'text', target: 'text' },
  )
  const rows = await runPrepared<Pick<IdempotencyKeyRow, 'scope' | 'key'>>(
    trx,
    `claim-keys-${wanted.shape}`,
    `insert into idempotency_keys (scope, key, target) select * from ${wanted.sql} order by scope, key
     on conflict do nothing returning scope, key`,
    wanted.bindings,
  )
  const claimed = new Set(rows.map(scopedKey))
  const others = keys.filter((wanted) => !claimed.has(scopedKey(wanted)))
  const answers = await findAnswers(trx, others)
  return new Map(others.map((key) => [key, answers.get(key) ?? vanished()]))
}

/** Another transaction has removed the key between the two statements. */
const vanished = () => new ProblemError('unavailable', 'The change is being made right now.', { retryAfterSeconds: 1 })

export function keyRows(trx: Knex, keys: readonly Pick<IdempotencyKeyRow, 'scope' | 'key'>[]) {
  const asked = keys.map(({ scope, key }) => ({ scope, key }))
  const { sql, bindings } = relation('g', asked, { scope: 'text', key: 'text' })
  return trx('idempotency_keys').whereRaw(`(scope, key) in (select * from ${sql})`, bindings)
}

export async function releaseKeys(trx: Knex.Transaction, keys: readonly ClaimedKey[]): Promise<void> {
  if (keys.length > 0) await keyRows(trx, keys).delete()
}

/** Finds the earlier answer under a key. Throws `key_reused` and `cancelled`. */
export async function findAnswer(db: Knex, wanted: ClaimedKey): Promise<StoredAnswer | undefined> {
  const found = (await findAnswers(db, [wanted])).get(wanted)
  if (found instanceof ProblemError) throw found
  return found
}

type AnswerRow = IdempotencyKeyRow & {
  headVersion: number | null
  historyId: string | null
  epoch: string
  body: string
}

async function findAnswers(
  db: Knex,
  keys: readonly ClaimedKey[],
): Promise<ReadonlyMap<ClaimedKey, StoredAnswer | ProblemError>> {
  const found = new Map<ClaimedKey, StoredAnswer | ProblemError>()
  if (keys.length === 0) return found
  const asked = keys.map(({ scope, key, feedScope }) => ({ scope, key, feedScope }))
  const { sql, bindings, shape } = relation('g', asked, { scope: 'text', key: 'text', feedScope: 'text' })
  const rows = await runPrepared<AnswerRow>(
    db,
    `find-answers-${shape}`,
    `select k.scope, k.key, k.target, k.status, k.refusal, k.version, k.doc_id, k.created_at,
         h.version as head_version, h.history_id, e.epoch, l.body
       from ${sql} join idempotency_keys k using (scope, key) cross join sync_epoch e
       left join lateral (
         select version, history_id from sync_history
         where scope = g.feed_scope and version >= k.version order by version limit 1
       ) h on true
       left join sync_log l
         on l.scope = g.feed_scope and l.collection = k.collection and l.doc_id = k.doc_id::text and not l.deleted`,
    bindings,
  )
  const byKey = new Map(rows.map((row) => [scopedKey(row), row]))
  for (const wanted of keys) {
    const row = byKey.get(scopedKey(wanted))
    const answer = row && answerOf(row, wanted)
    if (answer) found.set(wanted, answer)
  }
  return found
}

/** A later request for the same target is the first, however it is written. */
function answerOf(row: AnswerRow, { target }: ClaimedKey): StoredAnswer | ProblemError | undefined {
  const { status, refusal, version, docId, headVersion, historyId, epoch, body: document } = row
  if (status === null) return undefined
  if (refusal === 'cancelled') return new ProblemError('cancelled', 'This change was discarded before it arrived.')
  if (row.target !== target) return new ProblemError('key_reused', 'The Idempotency-Key belongs to another request.')
  const head = headVersion === null ? undefined : { version: headVersion, historyId, epoch }
  return { status, refusal, version, checkpoint: checkpointOf(head), docId, at: row.createdAt, document }
}

/** Forbids changes that may be on their way: the first transaction that takes a key wins. Returns an outcome for each, in order. */
export async function cancelKeys(
  trx: Knex.Transaction,
  scopes: readonly KeyScope[],
  keys: readonly string[],
): Promise<('cancelled' | 'already-happened')[]> {
  const lists = [scopes, keys] as unknown as Knex.Value[]
  await trx.raw(
    `insert into idempotency_keys (scope, key, target, refusal, status)
     select distinct scope, key, '', 'cancelled', 422 from unnest(?::text[]) as s (scope), unnest(?::text[]) as k (key)
     order by scope, key on conflict do nothing`,
    lists,
  )
  const happened = await trx('idempotency_keys')
    .whereRaw('scope = any(?::text[]) and key = any(?::text[])', lists)
    .where('status', '<', 300)
    .select('key')
  const done = new Set(happened.map(({ key }) => key))
  return keys.map((key) => (done.has(key) ? 'already-happened' : 'cancelled'))
}

/** No outbox retries for longer. */
const KEPT_DAYS = 90
/** By then no twin is on its way. */
const VISITORS_REFUSAL_DAYS = 7

const old = deletionOf('idempotency_keys', 'created_at < ?', (now) => [daysBefore(now, KEPT_DAYS)])
const refused = deletionOf(
  'idempotency_keys',
  `created_at < ? and refusal <> 'cancelled' and scope like 'device:%'`,
  (now) => [daysBefore(now, VISITORS_REFUSAL_DAYS)],
)

export const purgeIdempotencyKeys = inLots(async (db, now) => (await old(db, now)) ?? (await refused(db, now)))
