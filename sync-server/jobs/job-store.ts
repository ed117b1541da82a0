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
  const { kind, key, payload, runAt = null, maxAttempts = null } = job
  const isSoon = runAt === null || runAt.getTime() - Date.now() < announceWithinMs
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `with inserted as (
       insert into jobs (kind, key, payload, run_at, max_attempts)
       values (?, ?, ?::jsonb, coalesce(?::timestamptz, now()), coalesce(?::int, 8)) on conflict (key) do nothing returning kind
     )
     select case when ?::boolean then pg_notify(?, kind) end from inserted`,
    [kind, key, JSON.stringify(payload), runAt, maxAttempts, isSoon, jobsChannel] as Knex.Value[],
  )
  return rows.length > 0
}

/** Cancels a job that has not started and answers its payload; undefined when it is unknown, running or done. */
export async function cancelJob(trx: Knex, key: string): Promise<Record<string, unknown> | undefined> {
  const [cancelled] = await trx('jobs')
    .where({ key, state: 'waiting' })
    .update({ state: 'cancelled', updated_at: trx.fn.now() })
    .returning('payload')
  return cancelled?.payload
}
