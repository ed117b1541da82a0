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

/**
 * Queues a job in the caller's transaction, so that it exists exactly if the change does. Does nothing when the key was
 * queued before. Answers whether it is new. Workers hear of it when the transaction commits.
 */
export async function insertJob(trx: Knex, job: NewJob): Promise<boolean> {
  const rows = await trx('jobs')
    .insert({
      kind: job.kind,
      key: job.key,
      payload: JSON.stringify(job.payload),
      ...(job.runAt ? { run_at: job.runAt } : {}),
      ...(job.maxAttempts === undefined ? {} : { max_attempts: job.maxAttempts }),
    })
    .onConflict('key')
    .ignore()
    .returning('id')
  if (rows.length === 0) return false
  await trx.raw('select pg_notify(?, ?)', [jobsChannel, job.kind])
  return true
}

/** Cancels a job that has not started and answers its payload; undefined when it is unknown, running or done. */
export async function cancelJob(trx: Knex, key: string): Promise<Record<string, unknown> | undefined> {
  const [cancelled] = await trx('jobs')
    .where({ key, state: 'waiting' })
    .update({ state: 'cancelled', updated_at: trx.fn.now() })
    .returning('payload')
  return cancelled?.payload
}
