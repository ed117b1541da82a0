import type { Knex } from 'knex'
import type { JobRow } from '../db/rows/operation-rows.ts'
import { withoutValues } from './job-run.ts'
import { jobsChannel } from './job-store.ts'

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

/** The newest first, reasons without values. */
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
