import type { Knex } from 'knex'
import type { JobRow } from '../db/rows/operation-rows.ts'
import { withoutValues } from './job-run.ts'
import { jobsChannel } from './job-store.ts'

export type FailedJob = Pick<JobRow, 'id' | 'kind' | 'payload' | 'attempts' | 'lastError' | 'updatedAt'>

/** The newest come first. Their reasons hold no values. */
export async function listFailedJobs(db: Knex, limit: number): Promise<FailedJob[]> {
  const jobs = await db('jobs')
    .where({ state: 'dead' })
    .orderByRaw('updated_at desc, id desc')
    .limit(limit)
    .select('id', 'kind', 'payload', 'attempts', 'lastError', 'updatedAt')
  return jobs.map((job) => ({ ...job, lastError: job.lastError === null ? null : withoutValues(job.lastError) }))
}

/** The row is locked until the transaction ends. A job that is not dead any more is undefined. */
export async function findFailedJob(trx: Knex, id: number): Promise<Pick<JobRow, 'kind' | 'payload'> | undefined> {
  return await trx('jobs').where({ id, state: 'dead' }).forUpdate().first('kind', 'payload')
}

/** The job gets all its attempts again. */
export async function reviveJob(trx: Knex, id: number): Promise<void> {
  const changes = { state: 'waiting', attempts: 0, runAt: trx.fn.now(), updatedAt: trx.fn.now() } as const
  await trx('jobs').where({ id, state: 'dead' }).update(changes)
  await trx.raw('select pg_notify(?, ?)', [jobsChannel, 'revived'])
}

export async function discardJob(trx: Knex, id: number): Promise<void> {
  await trx('jobs').where({ id, state: 'dead' }).update({ state: 'cancelled', updatedAt: trx.fn.now() })
}
