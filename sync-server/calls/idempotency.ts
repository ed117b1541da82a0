import { relation } from '../db/column-names.ts'
import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { IdempotencyKeyRow } from '../db/rows/operation-rows.ts'
import { ProblemError } from './problems.ts'

export interface StoredAnswer {
  readonly status: number
  readonly text: string | null
  readonly version: number | null
}

export type KeyScope = `user:${number}` | `device:${string}`

/** Stands instead of the request hash of a cancelled change. */
const CANCELLED = 'cancelled'
/** The same for an answer emptied with its person. */
export const FORGOTTEN = 'forgotten'

/**
 * The same route and parameters give the same hash, whatever the content: an updated app sends a queued change in today's
 * form under its first key.
 */
export function requestTarget(route: string, params: Readonly<Record<string, unknown>>): string {
  return requestHash(route, params, null)
}

/** The same for any order of the JSON's fields, and for an id as text or number. */
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
  /** Servers of the version before compare it. */
  readonly hash: string
  /** `requestTarget`, or the hash of the whole request. */
  readonly target: string
  /** After a restore: an earlier refusal counts no more. */
  readonly again: boolean
}

/**
 * Takes different keys before anything else in this transaction; a concurrent twin waits here. Answers for each, in
 * order: undefined for a change to be made now, the earlier answer, or a refusal. Keys are taken in one order, against
 * deadlocks.
 */
export async function claimKeys(
  trx: Knex.Transaction,
  keys: readonly ClaimedKey[],
): Promise<(StoredAnswer | ProblemError | undefined)[]> {
  await forgetRefusals(trx, keys)
  const wanted = relation(
    'g',
    keys.map(({ scope, key, hash: requestHash, target }) => ({ scope, key, requestHash, target })),
    { scope: 'text', key: 'text', requestHash: 'text', target: 'text' },
  )
  const inserted = (await trx
    .raw(
      `insert into idempotency_keys (scope, key, request_hash, target)
       select * from ${wanted.sql} order by scope, key
       on conflict do nothing returning scope, key`,
      wanted.bindings,
    )
    .options({ name: 'claim-keys' })) as { rows: { scope: string; key: string }[] }
  const claimed = new Set(inserted.rows.map(({ scope, key }) => `${scope} ${key}`))
  if (claimed.size === keys.length) return keys.map(() => undefined)
  const earlier = await keyRows(trx, keys).select()
  const rows = new Map(earlier.map((row) => [`${row.scope} ${row.key}`, row]))
  const answers: (StoredAnswer | ProblemError | undefined)[] = []
  for (const wanted of keys) {
    const scopedKey = `${wanted.scope} ${wanted.key}`
    try {
      answers.push(claimed.has(scopedKey) ? undefined : (answerOf(rows.get(scopedKey), wanted) ?? vanished()))
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      answers.push(error)
    }
  }
  return answers
}

/** Another transaction removed the key between the two statements. */
const vanished = () => new ProblemError('unavailable', 'The change is being made right now.', { retryAfterSeconds: 1 })

export function keyRows(trx: Knex, keys: readonly Pick<IdempotencyKeyRow, 'scope' | 'key'>[]) {
  const asked = keys.map(({ scope, key }) => ({ scope, key }))
  const { sql, bindings } = relation('g', asked, { scope: 'text', key: 'text' })
  return trx('idempotency_keys').whereRaw(`(scope, key) in (select * from ${sql})`, bindings)
}

/** What the refusals before the device noticed the restore are about may be back. Cancelled and forgotten ones stay. */
async function forgetRefusals(trx: Knex.Transaction, keys: readonly ClaimedKey[]): Promise<void> {
  const again = keys.filter((wanted) => wanted.again)
  if (again.length === 0) return
  await keyRows(trx, again).where('status', '>=', 400).whereNotIn('requestHash', [CANCELLED, FORGOTTEN]).delete()
}

/** For a change that is to be tried again later. */
export async function releaseKey(trx: Knex.Transaction, { scope, key }: ClaimedKey): Promise<void> {
  await trx('idempotency_keys').where({ scope, key }).delete()
}

/** The earlier answer under a key. Throws `key_reused` and `cancelled`. */
export async function findAnswer(db: Knex, wanted: ClaimedKey): Promise<StoredAnswer | undefined> {
  const { scope, key } = wanted
  return answerOf(await db('idempotency_keys').where({ scope, key }).first(), wanted)
}

/** A later request for the same target is the first, however it is written. */
function answerOf(row: IdempotencyKeyRow | undefined, { target, again }: ClaimedKey): StoredAnswer | undefined {
  if (!row || row.status === null) return undefined
  if (row.requestHash === CANCELLED) throw new ProblemError('cancelled', 'This change was discarded before it arrived.')
  if (row.target !== null && row.target !== target)
    throw new ProblemError('key_reused', 'The Idempotency-Key belongs to another request.')
  if (again && row.status >= 400 && row.requestHash !== FORGOTTEN) return undefined
  return { status: row.status, text: row.body, version: row.version }
}

/**
 * Forbids changes that may be on their way: the first transaction that takes a key wins. Answers for each key, in order,
 * whether it is forbidden or has happened. A deadlock with a group that takes keys in several steps is repeated.
 */
export async function cancelKeys(
  trx: Knex.Transaction,
  scopes: readonly KeyScope[],
  keys: readonly string[],
): Promise<('cancelled' | 'already-happened')[]> {
  const lists = [scopes, keys] as unknown as Knex.Value[]
  await trx.raw(
    `insert into idempotency_keys (scope, key, request_hash, status)
     select distinct scope, key, ?, 422 from unnest(?::text[]) as s (scope), unnest(?::text[]) as k (key)
     order by scope, key on conflict do nothing`,
    [CANCELLED, ...lists],
  )
  const happened = await trx('idempotency_keys')
    .whereRaw('scope = any(?::text[]) and key = any(?::text[])', lists)
    .where('status', '<', 300)
    .select('key')
  const done = new Set(happened.map(({ key }) => key))
  return keys.map((key) => (done.has(key) ? 'already-happened' : 'cancelled'))
}

const DAY_MS = 86_400_000
/** No outbox retries longer. */
const KEPT_DAYS = 90
/** Long enough that a twin on its way does not happen after all. */
const VISITORS_REFUSAL_DAYS = 7

export async function purgeIdempotencyKeys(db: Knex, now: Date): Promise<number> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
  return await db('idempotency_keys')
    .where('createdAt', '<', daysAgo(KEPT_DAYS))
    .orWhere(
      (refusal) =>
        void refusal
          .where('createdAt', '<', daysAgo(VISITORS_REFUSAL_DAYS))
          .where('status', '>=', 400)
          .whereNotIn('requestHash', [CANCELLED, FORGOTTEN])
          .where('scope', 'like', 'device:%'),
    )
    .delete()
}
