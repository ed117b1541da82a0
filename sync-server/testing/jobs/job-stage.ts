import type { Knex } from 'knex'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { claimJobs, type ClaimedJob } from '../../jobs/job-queue.ts'
import { insertJob, type NewJob } from '../../jobs/job-store.ts'
import { startWorker, type Tasks, type Worker, type WorkerOptions } from '../../jobs/worker.ts'
import { createTestDatabase, type TestDatabase } from '../test-database.ts'

const log = pino({ level: 'silent' })

/** A queue that is empty when a test begins, and workers that end with it. */
interface JobStage {
  readonly db: Knex
  readonly connectionString: string
  /** Those of this test, in the order they were started. */
  readonly workers: readonly Worker[]
  /** Starts a worker, on connections of its own where they are given. */
  start(tasks: Tasks, options?: WorkerOptions, db?: Knex): Worker
  stopAll(): Promise<void>
  /** Queues a job, to greet unless told otherwise; answers whether it was new. */
  queue(job: Partial<NewJob> & { readonly key: string }): Promise<boolean>
  /** Takes the next greeting, as a worker does. */
  claim(): Promise<ClaimedJob | undefined>
  /** The state of every job by its key. */
  states(): Promise<Record<string, string>>
  /** Waits until the states are these. */
  expectSoon(expected: Record<string, string>): Promise<void>
}

/** Sets the stage for the tests of the calling file. */
export function setJobStage(): JobStage {
  let database: TestDatabase
  let workers: Worker[] = []

  const stopAll = async () => {
    await Promise.all(workers.map((worker) => worker.stop()))
    workers = []
  }
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())
  beforeEach(() => database.db('jobs').del())
  afterEach(stopAll)

  const states = async () =>
    Object.fromEntries((await database.db('jobs').orderBy('id')).map(({ key, state }) => [key, state]))
  return {
    get db() {
      return database.db
    },
    get connectionString() {
      return database.connectionString
    },
    get workers() {
      return workers
    },
    start: (tasks, options = {}, db = database.db) => {
      const worker = startWorker(db, tasks, log, options)
      workers.push(worker)
      return worker
    },
    stopAll,
    queue: async (job) =>
      await database.db.transaction((trx) => insertJob(trx, { kind: 'greet', payload: {}, ...job })),
    claim: async () => (await claimJobs(database.db, new Map([['greet', 1]]), 60_000, true))[0],
    states,
    expectSoon: async (expected) =>
      await vi.waitFor(async () => expect(await states()).toEqual(expected), { timeout: 30_000, interval: 10 }),
  }
}
