import { relation } from '../db/column-names.ts'
import type { Knex } from 'knex'
import type { JobRow } from '../db/rows/operation-rows.ts'
import { withoutValues } from './job-run.ts'

export const jobsChannel = 'jobs'

export interface NewJob {
  readonly kind: string
  /** The intention, queued once, ever. */
  readonly key: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly runAt?: Date
  readonly maxAttempts?: number
}

/** The workers' poll finds later jobs in time without an announcement. */
const announceWithinMs = 20_000

/** Queues in the caller's transaction; false when the key was queued before. Workers hear of it at the commit. */
export async function insertJob(trx: Knex, job: NewJob): Promise<boolean> {
  return (await insertJobs(trx, [job])) === 1
}

export const isSoon = (runAt: Date | undefined): boolean =>
  runAt === undefined || runAt.getTime() - Date.now() < announceWithinMs

/**
 * Parts of a larger statement's `with` that queue jobs; its select must read `announced_jobs`.
 * @param relation an earlier part with the columns kind, key, payload (jsonb), run_at, max_attempts and is_soon
 */
export const queueJobsFrom = (relation: string): string => `inserted_jobs as (
  insert into jobs (kind, key, payload, run_at, max_attempts)
  select kind, key, payload, coalesce(run_at, now()), coalesce(max_attempts, 8) from ${relation}
  on conflict (key) do nothing returning kind, key
), announced_jobs as materialized (
  select case when g.is_soon then pg_notify('${jobsChannel}', i.kind) end from inserted_jobs i join ${relation} g on g.key = i.key
)`

/** Answers how many are new. */
export async function insertJobs(trx: Knex, jobs: readonly NewJob[]): Promise<number> {
  if (jobs.length === 0) return 0
  const given = relation(
    'g',
    jobs.map(({ kind, key, payload, runAt, maxAttempts }) => {
      return { kind, key, payload: JSON.stringify(payload), runAt, maxAttempts, isSoon: isSoon(runAt) }
    }),
    { kind: 'text', key: 'text', payload: 'jsonb', runAt: 'timestamptz', maxAttempts: 'int', isSoon: 'boolean' },
  )
  const { rows } = await trx.raw<{ rows: { queued: number }[] }>(
    `with given as (select * from ${given.sql}), ${queueJobsFrom('given')}
     select count(*)::int as queued from announced_jobs`,
    given.bindings,
  )
  return rows[0]?.queued ?? 0
}

/** Cancels waiting jobs. Answers the payload of each under its key; unknown, running or ended ones are missing. */
export async function cancelJobs(
  trx: Knex,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Record<string, unknown>>> {
  if (keys.length === 0) return new Map()
  const cancelled = await trx('jobs')
    .whereIn('key', keys)
    .where({ state: 'waiting' })
    .update({ state: 'cancelled', updatedAt: trx.fn.now() })
    .returning(['key', 'payload'])
  return new Map(cancelled.map(({ key, payload }) => [key, payload]))
}

/** Dead, or not taken by any worker for long. */
export type StrandedJob = Pick<JobRow, 'id' | 'kind' | 'payload' | 'attempts' | 'lastError'> & {
  readonly standing: 'dead' | 'overdue'
  /** When it died or was due. */
  readonly since: Date
}

export interface StrandedCount {
  readonly kind: string
  readonly dead: number
  readonly overdue: number
}

/** Either no worker knows its kind, or all are stuck. */
const overdueAfterMs = 3_600_000

const overdue = `(state = 'waiting' and run_at < now() - ${overdueAfterMs} * interval '1 millisecond')`

/** The newest first, reasons without anything that looks like a value. */
export async function listStrandedJobs(db: Knex, limit: number): Promise<StrandedJob[]> {
  const { rows } = await db.raw<{ rows: StrandedJob[] }>(
    `select id, kind, payload, attempts, last_error, 'dead' as standing, updated_at as since from jobs where state = 'dead'
     union all select id, kind, payload, attempts, last_error, 'overdue', run_at from jobs where ${overdue}
     order by since desc, id desc limit ?`,
    [limit],
  )
  return rows.map((row) => ({ ...row, lastError: row.lastError === null ? null : withoutValues(row.lastError) }))
}

export async function countStrandedJobs(db: Knex): Promise<StrandedCount[]> {
  const { rows } = await db.raw<{ rows: StrandedCount[] }>(
    `select kind, count(*) filter (where state = 'dead')::int as dead, count(*) filter (where state = 'waiting')::int as overdue
     from jobs where state = 'dead' or ${overdue} group by kind order by kind`,
  )
  return rows
}

/** Locked until the transaction ends; undefined when the job is not dead any more. */
export async function findDeadJob(trx: Knex, id: number): Promise<Pick<JobRow, 'id' | 'kind' | 'payload'> | undefined> {
  return await trx('jobs').where({ id, state: 'dead' }).forUpdate().first('id', 'kind', 'payload')
}

/** The oldest first, locked until the transaction ends. */
export async function listDeadJobsOf(
  trx: Knex,
  kind: string,
  limit: number,
): Promise<Pick<JobRow, 'id' | 'kind' | 'payload'>[]> {
  return await trx('jobs')
    .where({ kind, state: 'dead' })
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .select('id', 'kind', 'payload')
}

/** Gives all their attempts again. Answers how many. */
export async function reviveJobs(trx: Knex, ids: readonly number[]): Promise<number> {
  const revived = await trx('jobs')
    .whereRaw('id = any(?)', [ids as unknown as Knex.Value])
    .where({ state: 'dead' })
    .update({ state: 'waiting', attempts: 0, runAt: trx.fn.now(), updatedAt: trx.fn.now() })
  if (revived > 0) await trx.raw('select pg_notify(?, ?)', [jobsChannel, 'revived'])
  return revived
}

export async function discardJobs(trx: Knex, ids: readonly number[]): Promise<number> {
  return await trx('jobs')
    .whereRaw('id = any(?)', [ids as unknown as Knex.Value])
    .whereRaw(`(state = 'dead' or ${overdue})`)
    .update({ state: 'cancelled', updatedAt: trx.fn.now() })
}
