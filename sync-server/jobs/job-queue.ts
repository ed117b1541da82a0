import type { Knex } from 'knex'
import type { JobRow } from '../db/tables.ts'

/** A job that this process holds: nobody else runs it while its lease lasts. `attempts` counts this try. */
export type ClaimedJob = Pick<JobRow, 'id' | 'kind' | 'key' | 'payload' | 'attempts' | 'max_attempts'>

const firstRetryMs = 2_000
const longestRetryMs = 3_600_000

/**
 * Takes the next due job of these kinds: one that waits and is due, or one whose holder let its lease run out. Rows that
 * other processes are taking are skipped, so any number may ask at once. A job that died in its last attempt is buried.
 */
export async function claimJob(db: Knex, kinds: readonly string[], leaseMs: number): Promise<ClaimedJob | undefined> {
  await db.raw(
    `update jobs set state = 'dead', lease_until = null, last_error = coalesce(last_error, 'the server stopped while it ran'), updated_at = now()
     where state = 'running' and lease_until < now() and attempts >= max_attempts and kind = any(?)`,
    [kinds as unknown as Knex.Value],
  )
  const { rows } = await db.raw<{ rows: ClaimedJob[] }>(
    `update jobs set state = 'running', attempts = attempts + 1, lease_until = now() + ? * interval '1 millisecond', updated_at = now()
     where id = (
       select id from jobs
       where kind = any(?) and ((state = 'waiting' and run_at <= now()) or (state = 'running' and lease_until < now()))
       order by run_at, id for update skip locked limit 1
     )
     returning id, kind, key, payload, attempts, max_attempts`,
    [leaseMs, kinds as unknown as Knex.Value],
  )
  return rows[0]
}

/** When the next job that waits, or the next lease that ends, is due: milliseconds from now; undefined when none is. */
export async function nextDueInMs(db: Knex, kinds: readonly string[]): Promise<number | undefined> {
  const { rows } = await db.raw<{ rows: { ms: number | null }[] }>(
    `select (extract(epoch from min(due) - now()) * 1000)::float8 as ms from (
       select min(run_at) as due from jobs where state = 'waiting' and kind = any(?)
       union all select min(lease_until) from jobs where state = 'running' and kind = any(?)) times`,
    [kinds, kinds] as unknown as Knex.Value[],
  )
  return rows[0]?.ms ?? undefined
}

const keptDays = 30

/** Removes jobs that ended more than 30 days ago; dead ones stay until someone has looked at them. Answers how many. */
export async function purgeJobs(db: Knex): Promise<number> {
  return await db('jobs')
    .whereIn('state', ['done', 'cancelled'])
    .whereRaw(`updated_at < now() - ? * interval '1 day'`, [keptDays])
    .del()
}

// Whoever lost its lease to another process no longer matches: its result is not written over the other's.
const held = (db: Knex, job: ClaimedJob) => db('jobs').where({ id: job.id, state: 'running', attempts: job.attempts })

export async function extendLease(db: Knex, job: ClaimedJob, leaseMs: number): Promise<void> {
  await held(db, job).update({ lease_until: db.raw(`now() + ? * interval '1 millisecond'`, [leaseMs]) })
}

export async function finishJob(db: Knex, job: ClaimedJob): Promise<void> {
  await held(db, job).update({ state: 'done', lease_until: null, last_error: null, updated_at: db.fn.now() })
}

/** Puts a job back as if it had not been tried: not a failure, only too early. */
export async function postponeJob(db: Knex, job: ClaimedJob, runAt: Date): Promise<void> {
  await held(db, job).update({
    state: 'waiting',
    run_at: runAt,
    attempts: job.attempts - 1,
    lease_until: null,
    updated_at: db.fn.now(),
  })
}

/** Queues a failed job for another try, later each time, or buries it after the last. Answers which. */
export async function failJob(db: Knex, job: ClaimedJob, error: string, retryAfterMs = 0): Promise<'waiting' | 'dead'> {
  const state = job.attempts >= job.max_attempts ? 'dead' : 'waiting'
  const delayMs = Math.max(backoffMs(job.attempts), retryAfterMs)
  await held(db, job).update({
    state,
    run_at: db.raw(`now() + ? * interval '1 millisecond'`, [delayMs]),
    lease_until: null,
    last_error: error.slice(0, 500),
    updated_at: db.fn.now(),
  })
  return state
}

/** 2 s after the first failure, then double each time, at most an hour; up to a fifth more so that many do not return at once. */
export function backoffMs(attempts: number, random: () => number = Math.random): number {
  return Math.round(Math.min(firstRetryMs * 2 ** (attempts - 1), longestRetryMs) * (1 + random() * 0.2))
}
