import { relation } from '../db/column-names.ts'
import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { IdempotencyKeyRow } from '../db/rows/operation-rows.ts'
import { ProblemError } from './problems.ts'

/** The answer of a change that was made before. */
export interface StoredAnswer {
  readonly status: number
  readonly text: string | null
  readonly version: number | null
}

/** Whose key it is: two callers may use the same key without meeting. */
export type KeyScope = `user:${number}` | `device:${string}`

/** What a key row of a cancelled change carries in place of the hash of a request. */
const CANCELLED = 'cancelled'
/** The same for a change whose answer was emptied because the person it was about was deleted. */
export const FORGOTTEN = 'forgotten'

/**
 * What a request is about: the same route and place give the same hash, whatever the content. An app that was updated
 * sends a change it has queued in today's form, under the key of its first try.
 */
export function requestTarget(route: string, params: Readonly<Record<string, unknown>>): string {
  return requestHash(route, params, null)
}

/** The same request gives the same hash, in whatever order its JSON was written and whether its id came as text or number. */
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

/** A key with whose it is and the request it stands for. */
export interface ClaimedKey {
  readonly scope: KeyScope
  readonly key: string
  /** `requestHash`, which a server of the version before compares. */
  readonly hash: string
  /** What the key stands for, whatever else the request says: `requestTarget`, or all of it. */
  readonly target: string
  /** Offered again after the database went back: a refusal from before counts no more. */
  readonly again: boolean
}

/**
 * Takes different keys for this transaction, before anything else happens in it. A concurrent twin waits here on the unique
 * index until the first one has ended. Answers for each, in order: undefined when the change is to be made now, what was
 * answered before, or the refusal: `key_reused` for another request under the same key, `cancelled` for a change that was
 * forbidden. Two transactions that want the same keys take them in the same order.
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
    const place = `${wanted.scope} ${wanted.key}`
    try {
      answers.push(
        claimed.has(place) ? undefined : (answerOf(rows.get(place), wanted) ?? (await claimKey(trx, wanted))),
      )
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      answers.push(error)
    }
  }
  return answers
}

/** The rows of these keys, to be read or written. */
export function keyRows(trx: Knex, keys: readonly Pick<IdempotencyKeyRow, 'scope' | 'key'>[]) {
  const places = keys.map(({ scope, key }) => ({ scope, key }))
  const { sql, bindings } = relation('g', places, { scope: 'text', key: 'text' })
  return trx('idempotency_keys').whereRaw(`(scope, key) in (select * from ${sql})`, bindings)
}

/**
 * Of changes that are offered again, forgets what was refused before the device knew that the database had gone back: what
 * they are about may have been brought back since. What was cancelled or deleted with a person stays so.
 */
async function forgetRefusals(trx: Knex.Transaction, keys: readonly ClaimedKey[]): Promise<void> {
  const again = keys.filter((wanted) => wanted.again)
  if (again.length === 0) return
  await keyRows(trx, again).where('status', '>=', 400).whereNotIn('requestHash', [CANCELLED, FORGOTTEN]).delete()
}

/** Takes one key anew, which stood in the way a moment ago. Answers undefined when the change is to be made now, else what was answered before. Throws as `findAnswer`. */
async function claimKey(trx: Knex.Transaction, wanted: ClaimedKey): Promise<StoredAnswer | undefined> {
  const { scope, key, hash, target } = wanted
  const claimed = (await trx
    .raw('insert into idempotency_keys (scope, key, request_hash, target) values (?, ?, ?, ?) on conflict do nothing', [
      scope,
      key,
      hash,
      target,
    ])
    .options({ name: 'claim-key' })) as { rowCount: number }
  if (claimed.rowCount === 1) return undefined
  const answer = await findAnswer(trx, wanted)
  if (!answer) throw new ProblemError('unavailable', 'The change is being made right now.', { retryAfterSeconds: 1 })
  return answer
}

/** Gives a key back that was claimed in this transaction: the change is to be tried again later. */
export async function releaseKey(trx: Knex.Transaction, { scope, key }: ClaimedKey): Promise<void> {
  await trx('idempotency_keys').where({ scope, key }).delete()
}

/** What was answered under a key before, if anything. Throws `key_reused` and `cancelled` as `claimKeys` answers them. */
export async function findAnswer(db: Knex, wanted: ClaimedKey): Promise<StoredAnswer | undefined> {
  const { scope, key } = wanted
  return answerOf(await db('idempotency_keys').where({ scope, key }).first(), wanted)
}

/** The key's first request is what counts: a later one for the same target is that request, however it is written. */
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
 * whether it is forbidden now in all the scopes, or had already happened in one. A change that was refused has not happened.
 * Keys are taken in the order of `claimKeys`; a group that takes them in several steps may still meet this the other way
 * round, and then one of the two has to come again.
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
/** What a visitor was refused is kept so that a twin still on its way does not happen after all, not for longer. */
const VISITORS_REFUSAL_DAYS = 7

/** Forgets keys that no device sends again. Answers how many. */
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
