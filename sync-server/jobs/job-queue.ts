import type { Knex } from 'knex'
import { deletionOf, inLots } from '../db/lots.ts'
import type { JobRow } from '../db/rows/operation-rows.ts'

/** This process holds the job under a lease. `attempts` counts this try. */
export interface ClaimedJob extends Pick<
  JobRow,
  'id' | 'kind' | 'key' | 'payload' | 'attempts' | 'maxAttempts' | 'claims'
> {
  /** It is true if its last holder fell silent, perhaps because of the job. */
  readonly takenOver: boolean
}

const firstRetryMs = 2_000
const longestRetryMs = 3_600_000

/**
 * Takes due jobs, of each kind as many as it has slots, with `takeOver` also one whose lease ran out. Rows being taken
 * by others are skipped.
 */
export async function claimJobs(
  db: Knex,
  slots: ReadonlyMap<string, number>,
  leaseMs: number,
  takeOver: boolean,
): Promise<ClaimedJob[]> {
  if (slots.size === 0) return []
  const kinds = [...slots.keys()]
  // The attempt is counted before the run. "Materialized" makes sure that rows are locked only once.
  const { rows } = await db.raw<{ rows: ClaimedJob[] }>(
    `with due as materialized (
       select j.id from unnest(?::text[], ?::int[]) as p (kind, slots)
       cross join lateral (
         select id from jobs where kind = p.kind and state = 'waiting' and run_at <= now()
         order by run_at, id limit p.slots for update skip locked
       ) j
     ), silent as materialized (
       select id from jobs where state = 'running' and lease_until < now() and attempts < max_attempts and kind = any(?)
       order by lease_until limit ? for update skip locked
     ), picked as (
       select id, false as taken_over from due union all select id, true from silent
     )
     update jobs j set state = 'running', attempts = attempts + 1, claims = claims + 1,
       lease_until = now() + ? * interval '1 millisecond', updated_at = now()
     from picked where j.id = picked.id
     returning j.id, j.kind, j.key, j.payload, j.attempts, j.max_attempts, j.claims, picked.taken_over as "takenOver"`,
    [kinds, [...slots.values()], kinds, takeOver ? 1 : 0, leaseMs] as unknown as Knex.Value[],
  )
  return rows.sort((one, other) => one.id - other.id)
}

export async function failExpiredJobs(
  db: Knex,
  kinds: readonly string[],
): Promise<Pick<JobRow, 'id' | 'kind' | 'attempts'>[]> {
  const { rows } = await db.raw<{ rows: Pick<JobRow, 'id' | 'kind' | 'attempts'>[] }>(
    `update jobs set state = 'dead', lease_until = null, last_error = 'the server stopped while it ran', updated_at = now()
     where id in (
       select id from jobs where state = 'running' and lease_until < now() and attempts >= max_attempts and kind = any(?)
       for update skip locked
     ) returning id, kind, attempts`,
    [kinds as unknown as Knex.Value],
  )
  return rows
}

/** Milliseconds until the next waiting job is due, or with `takeOver` a lease ends; undefined without one. */
export async function nextDueInMs(db: Knex, kinds: readonly string[], takeOver: boolean): Promise<number | undefined> {
  const { rows } = await db.raw<{ rows: { ms: number | null }[] }>(
    `select (extract(epoch from min(due) - now()) * 1000)::float8 as ms from (
       select (select run_at from jobs where kind = k and state = 'waiting' order by run_at limit 1) as due
       from unnest(?::text[]) k
       union all select min(lease_until) from jobs where state = 'running' and ?::boolean and kind = any(?)) times`,
    [kinds, takeOver, kinds] as unknown as Knex.Value[],
  )
  return rows[0]?.ms ?? undefined
}

const keptDays = 30
/** For so long an operator can look at a job that failed for the last time. */
const deadDays = 90

const ended = deletionOf('jobs', `state in ('done', 'cancelled') and updated_at < now() - interval '${keptDays} days'`)
const dead = deletionOf('jobs', `state = 'dead' and updated_at < now() - interval '${deadDays} days'`)

export const purgeJobs = inLots(async (db, now) => (await ended(db, now)) ?? (await dead(db, now)))

// The result of a run that lost its lease is not written.
const held = (db: Knex, { id, claims }: ClaimedJob) => db('jobs').where({ id, state: 'running', claims })

/** Returns whether the job is still this holder's. */
export async function extendLease(db: Knex, job: ClaimedJob, leaseMs: number): Promise<boolean> {
  const extended = await held(db, job).update({
    leaseUntil: db.raw(`now() + ? * interval '1 millisecond'`, [leaseMs]),
  })
  return extended === 1
}

/** For the job's next run, if this run still holds it. */
export async function noteInJob(db: Knex, job: ClaimedJob, note: Readonly<Record<string, unknown>>): Promise<void> {
  await held(db, job).update({ payload: db.raw(`payload || ?::jsonb`, [JSON.stringify(note)]) })
}

export async function finishJob(db: Knex, job: ClaimedJob): Promise<void> {
  await held(db, job).update({ state: 'done', leaseUntil: null, lastError: null, updatedAt: db.fn.now() })
}

/** The try does not count. At least a second passes, because the database's clock may be ahead. */
export async function postponeJob(db: Knex, job: ClaimedJob, runAt: Date): Promise<void> {
  await held(db, job).update({
    state: 'waiting',
    runAt: db.raw(`greatest(?, now() + interval '1 second')`, [runAt]),
    attempts: job.attempts - 1,
    leaseUntil: null,
    updatedAt: db.fn.now(),
  })
}

export interface Failure {
  /** Nothing personal: operators read it. */
  readonly text: string
  readonly retryAfterMs: number
  readonly isFinal: boolean
}

/** Returns whether the job is tried again or buried. */
export async function failJob(db: Knex, job: ClaimedJob, failure: Failure): Promise<'waiting' | 'dead'> {
  const state = failure.isFinal || job.attempts >= job.maxAttempts ? 'dead' : 'waiting'
  const delayMs = Math.max(backoffMs(job.attempts), failure.retryAfterMs)
  await held(db, job).update({
    state,
    runAt: db.raw(`now() + ? * interval '1 millisecond'`, [delayMs]),
    leaseUntil: null,
    lastError: failure.text,
    updatedAt: db.fn.now(),
  })
  return state
}

/** The wait is 2 s after the first failure and doubles each time up to an hour. Up to a fifth more spreads many. */
export function backoffMs(attempts: number, random: () => number = Math.random): number {
  return Math.round(Math.min(firstRetryMs * 2 ** (attempts - 1), longestRetryMs) * (1 + random() * 0.2))
}
