import { relation } from '../db/column-names.ts'
import type { Knex } from 'knex'
import { problemStatus, type ProblemCode } from '#shared/contract/problem.ts'
import type { RefusedChangeRow } from '../db/rows/operation-rows.ts'

/** A phone waits or signs in for these; all others wait there for a person. */
const passing: ReadonlySet<string> = new Set<ProblemCode>([
  'invalid_credentials',
  'sign_in_required',
  'session_expired',
  'session_revoked',
  'account_mismatch',
  'app_too_old',
  'too_many_requests',
])

/** `route` and `code` are words of ours. */
export interface Refusals {
  /** Ignores answers that a phone takes for success or waits out. */
  add(route: string, status: number, text: string | null): void
  readonly counted: readonly { readonly route: string; readonly code: ProblemCode; readonly times: number }[]
}

export function countRefusals(): Refusals {
  const counted = new Map<string, { route: string; code: ProblemCode; times: number }>()
  return {
    add: (route, status, text) => {
      if (status < 400 || status >= 500 || text === null) return
      // Deleting what is gone already is what was wished.
      if (route === 'deleteEvent' && status === 404) return
      const { code } = JSON.parse(text) as { code?: unknown }
      if (typeof code !== 'string' || !isProblemCode(code) || passing.has(code)) return
      const kind = `${route} ${code}`
      const before = counted.get(kind)
      if (before) before.times += 1
      else counted.set(kind, { route, code, times: 1 })
    },
    get counted() {
      return [...counted.values()]
    },
  }
}

function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problemStatus, code)
}

/** Without what the phone sent: one row for account, call and reason, so that repeated refusals fill no disk. */
export async function noteRefusals(
  db: Knex,
  account: number | null,
  deviceName: string | null,
  counted: Refusals['counted'],
): Promise<void> {
  if (counted.length === 0) return
  // In a fixed order: two batches of one account may deadlock.
  const ordered = counted.toSorted((one, other) =>
    `${one.route} ${one.code}` < `${other.route} ${other.code}` ? -1 : 1,
  )
  const given = relation('g', ordered, { route: 'text', code: 'text', times: 'int' })
  await db.raw(
    `insert into refused_changes as r (user_id, device_name, route, code, times)
     select ?::int, ?::text, g.route, g.code, g.times from ${given.sql}
     on conflict (coalesce(user_id, 0), route, code) do update set
       times = r.times + excluded.times, last_at = now(), device_name = excluded.device_name, seen_at = null`,
    [account, account === null ? null : deviceName, ...given.bindings],
  )
}

export type RefusedChange = RefusedChangeRow & { readonly username: string | null }

export async function listRefusedChanges(db: Knex, limit: number): Promise<RefusedChange[]> {
  return await db('refused_changes as r')
    .leftJoin('users as u', 'u.id', 'r.userId')
    .whereNull('r.seenAt')
    .orderBy([
      { column: 'r.lastAt', order: 'desc' },
      { column: 'r.id', order: 'desc' },
    ])
    .limit(limit)
    .select('r.*', 'u.username')
}

/** Tells an account's phones that another try is worth it. False without such a refusal of an account. */
export async function askForAnotherTry(trx: Knex, id: number): Promise<boolean> {
  const asked = await trx('refused_changes').where({ id }).whereNotNull('userId').update({ askedAt: trx.fn.now() })
  return asked === 1
}

/** Until it happens again. False when there is none. */
export async function keepRefusedChangeSeen(trx: Knex, id: number): Promise<boolean> {
  return (await trx('refused_changes').where({ id }).update({ seenAt: trx.fn.now() })) === 1
}

/** Not refused again since the question. */
export async function listAskedFor(db: Knex, userId: number): Promise<Pick<RefusedChangeRow, 'route' | 'code'>[]> {
  return await db('refused_changes')
    .where({ userId })
    .whereRaw('asked_at >= last_at')
    .orderBy('id')
    .select('route', 'code')
}
