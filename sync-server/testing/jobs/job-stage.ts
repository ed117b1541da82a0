import type { Knex } from 'knex'
import { pino } from 'pino'
import { afterEach, beforeEach, expect } from 'vitest'
import { claimJobs } from '../../jobs/job-queue.ts'
import { insertJob, type NewJob } from '../../jobs/job-store.ts'
import { startWorker, type Tasks, type Worker, type WorkerOptions } from '../../jobs/worker.ts'
import { setTestDatabase } from '../test-database.ts'

const log = pino({ level: 'silent' })

/** Waits until no job of these kinds is due and none is under way. */
export async function jobsSettled(db: Knex, kinds: readonly string[]): Promise<void> {
  const busy = db('jobs')
    .whereIn('kind', kinds)
    .whereRaw(`(state = 'running' or (state = 'waiting' and run_at <= now()))`)
  await expect.poll(() => busy.clone(), { interval: 20 }).toEqual([])
}

/** A queue that is empty when a test of the calling file begins, and workers that end with it. */
export async function setJobStage() {
  const { db, connectionString } = await setTestDatabase()
  /** Those of this test, in the order they were started. */
  const workers: Worker[] = []

  const stopAll = async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()))
  }
  beforeEach(() => db('jobs').del())
  afterEach(stopAll)

  /** The state of every job by its key. */
  const states = async () => Object.fromEntries((await db('jobs').orderBy('id')).map(({ key, state }) => [key, state]))
  return {
    db,
    connectionString,
    workers,
    /** Starts a worker, on connections of its own where they are given. */
    start: (tasks: Tasks, options: WorkerOptions = {}, connections = db) => {
      const worker = startWorker(connections, tasks, log, options)
      workers.push(worker)
      return worker
    },
    stopAll,
    /** Queues a job, to greet unless told otherwise; answers whether it was new. */
    queue: async (job: Partial<NewJob> & { readonly key: string }) =>
      await db.transaction((trx) => insertJob(trx, { kind: 'greet', payload: {}, ...job })),
    /** Takes the next greeting, as a worker does. */
    claim: async () => (await claimJobs(db, new Map([['greet', 1]]), 60_000, true))[0],
    states,
    /** Waits until the states are these. */
    expectSoon: async (expected: Record<string, string>) =>
      await expect.poll(states, { interval: 10 }).toEqual(expected),
  }
}
