import type { Knex } from 'knex'
import type { JobRow } from '../db/rows/operation-rows.ts'

/** A job that this process holds: no other process runs it while its lease lasts. `attempts` counts this try. */
export interface ClaimedJob extends Pick<
  JobRow,
  'id' | 'kind' | 'key' | 'payload' | 'attempts' | 'maxAttempts' | 'claims'
> {
  /** Its last holder fell silent: it may be the one that brought it down. */
  readonly takenOver: boolean
}

const firstRetryMs = 2_000
const longestRetryMs = 3_600_000

/**
 * Takes due jobs, of each kind as many as there are places for it. With `takeOver` also one, of any of these kinds, whose
 * holder let its lease run out. Rows that other processes are taking are skipped, so any number may ask at once.
 */
export async function claimJobs(
  db: Knex,
  places: ReadonlyMap<string, number>,
  leaseMs: number,
  takeOver: boolean,
): Promise<ClaimedJob[]> {
  if (places.size === 0) return []
  const kinds = [...places.keys()]
  // Counted before it runs: a job that kills its process has used up an attempt.
  // "Materialized", so that rows are locked only once.
  const { rows } = await db.raw<{ rows: ClaimedJob[] }>(
    `with due as materialized (
       select j.id from unnest(?::text[], ?::int[]) as p (kind, places)
       cross join lateral (
         select id from jobs where kind = p.kind and state = 'waiting' and run_at <= now()
         order by run_at, id limit p.places for update skip locked
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
    [kinds, [...places.values()], kinds, takeOver ? 1 : 0, leaseMs] as unknown as Knex.Value[],
  )
  return rows.sort((one, other) => one.id - other.id)
}

/** Buries jobs whose holder died in their last attempt. Answers which. */
export async function burySilentJobs(
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

/**
 * When the next job that waits, or with `takeOver` the next lease that ends, is due: milliseconds from now; undefined when
 * none is.
 */
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

/** Removes jobs that ended more than 30 days ago; dead ones stay until someone has looked at them. Answers how many. */
export async function purgeJobs(db: Knex): Promise<number> {
  return await db('jobs')
    .whereIn('state', ['done', 'cancelled'])
    .whereRaw(`updated_at < now() - ? * interval '1 day'`, [keptDays])
    .del()
}

// A run that lost its lease to another process no longer matches: its result is not written over the other's. Servers of
// before the counter of claims tell each other apart by the attempts alone.
const held = (db: Knex, job: ClaimedJob) =>
  db('jobs').where({ id: job.id, state: 'running', attempts: job.attempts, claims: job.claims })

/** Keeps a job for a whole lease from now. Answers whether it is still this holder's. */
export async function extendLease(db: Knex, job: ClaimedJob, leaseMs: number): Promise<boolean> {
  const extended = await held(db, job).update({
    leaseUntil: db.raw(`now() + ? * interval '1 millisecond'`, [leaseMs]),
  })
  return extended === 1
}

/** Adds to the payload what the next run of a job must know. Does nothing to a job that is not this holder's any more. */
export async function noteInJob(db: Knex, job: ClaimedJob, note: Readonly<Record<string, unknown>>): Promise<void> {
  await held(db, job).update({ payload: db.raw(`payload || ?::jsonb`, [JSON.stringify(note)]) })
}

export async function finishJob(db: Knex, job: ClaimedJob): Promise<void> {
  await held(db, job).update({ state: 'done', leaseUntil: null, lastError: null, updatedAt: db.fn.now() })
}

/**
 * Puts a job back as if it had not been tried: not a failure, only too early. At least a second passes before it is claimed
 * again: for the database the time may have come already that this process's clock still waits for.
 */
export async function postponeJob(db: Knex, job: ClaimedJob, runAt: Date): Promise<void> {
  await held(db, job).update({
    state: 'waiting',
    runAt: db.raw(`greatest(?, now() + interval '1 second')`, [runAt]),
    attempts: job.attempts - 1,
    leaseUntil: null,
    updatedAt: db.fn.now(),
  })
}

/** What is known about a failure. */
export interface Failure {
  /** Without anything personal: people who run the server read it. */
  readonly text: string
  /** At the earliest, whatever the attempts say. */
  readonly retryAfterMs: number
  /** Trying again cannot help. */
  readonly isFinal: boolean
}

/** Queues a failed job for another try, later each time, or buries it after the last. Answers which. */
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

/** 2 s after the first failure, then double each time, at most an hour; up to a fifth more so that many do not return at once. */
export function backoffMs(attempts: number, random: () => number = Math.random): number {
  return Math.round(Math.min(firstRetryMs * 2 ** (attempts - 1), longestRetryMs) * (1 + random() * 0.2))
}
