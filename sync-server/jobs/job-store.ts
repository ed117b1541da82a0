import type { Knex } from 'knex'

/** Where waiting workers are told that there may be something to do. */
export const jobsChannel = 'jobs'

export interface NewJob {
  /** Which task does it. */
  readonly kind: string
  /** Business key: the same intention is queued once, ever. */
  readonly key: string
  readonly payload: Readonly<Record<string, unknown>>
  /** Not before this instant; at once without it. */
  readonly runAt?: Date
  readonly maxAttempts?: number
}

/** Jobs that are due later than this are found by the workers' poll in time; announcing them would only cost. */
const announceWithinMs = 20_000

/**
 * Queues a job in the caller's transaction, so that it exists exactly if the change does. Does nothing when the key was
 * queued before. Answers whether it is new. Workers hear of it when the transaction commits.
 */
export async function insertJob(trx: Knex, job: NewJob): Promise<boolean> {
  return (await insertJobs(trx, [job])) === 1
}

/** As `insertJob`, for several jobs in one statement. Answers how many are new. */
export async function insertJobs(trx: Knex, jobs: readonly NewJob[]): Promise<number> {
  if (jobs.length === 0) return 0
  const isSoon = ({ runAt }: NewJob) => runAt === undefined || runAt.getTime() - Date.now() < announceWithinMs
  const columns = [
    jobs.map(({ kind }) => kind),
    jobs.map(({ key }) => key),
    jobs.map(({ payload }) => JSON.stringify(payload)),
    jobs.map(({ runAt }) => runAt ?? null),
    jobs.map(({ maxAttempts }) => maxAttempts ?? null),
    jobs.map(isSoon),
  ]
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `with given as (
       select * from unnest(?::text[], ?::text[], ?::text[], ?::timestamptz[], ?::int[], ?::boolean[])
         as g (kind, key, payload, run_at, max_attempts, is_soon)
     ), inserted as (
       insert into jobs (kind, key, payload, run_at, max_attempts)
       select kind, key, payload::jsonb, coalesce(run_at, now()), coalesce(max_attempts, 8) from given
       on conflict (key) do nothing returning kind, key
     )
     select case when g.is_soon then pg_notify(?, i.kind) end from inserted i join given g on g.key = i.key`,
    [...columns, jobsChannel] as unknown as Knex.Value[],
  )
  return rows.length
}

/**
 * Cancels jobs that have not started. Answers the payload of each under its key; one that is unknown, running or done is
 * missing.
 */
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
