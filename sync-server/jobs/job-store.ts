import { relation } from '../db/column-names.ts'
import type { Knex } from 'knex'

export const jobsChannel = 'jobs'

export interface NewJob {
  readonly kind: string
  /** The key names the intention, which is queued once ever. */
  readonly key: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly runAt?: Date
  readonly maxAttempts?: number
}

/** The workers' poll finds later jobs in time without an announcement. */
const announceWithinMs = 20_000

/**
 * Runs in the caller's transaction, and answers false when the key was queued before. Workers hear of it at the commit.
 */
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

/** Returns how many are new. */
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

/** Returns each waiting job's payload under its key; unknown, running or ended ones are missing. */
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
