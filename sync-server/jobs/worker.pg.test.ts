import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createKnex } from '../db/knex-config.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { backoffMs, claimJob, failJob, finishJob, purgeJobs } from './job-queue.ts'
import { cancelJobs, insertJob, type NewJob } from './job-store.ts'
import { RetryLater, startWorker, type Tasks, type Worker, type WorkerOptions } from './worker.ts'

let database: TestDatabase
let workers: Worker[] = []
const log = pino({ level: 'silent' })

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(() => database.db('jobs').del())
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  workers = []
})

function start(tasks: Tasks, options: WorkerOptions = {}): Worker {
  const worker = startWorker(database.db, tasks, log, options)
  workers.push(worker)
  return worker
}

const queue = async (job: Partial<NewJob> & { key: string }) =>
  await database.db.transaction((trx) => insertJob(trx, { kind: 'greet', payload: {}, ...job }))
const states = async () =>
  Object.fromEntries((await database.db('jobs').orderBy('id')).map(({ key, state }) => [key, state]))
const expectSoon = async (expected: Record<string, string>) =>
  await vi.waitFor(async () => expect(await states()).toEqual(expected), { timeout: 10_000, interval: 10 })

describe('a queued job', () => {
  it('runs as soon as its transaction commits, and not before', async () => {
    const seen: unknown[] = []
    start({ greet: async ({ payload }) => void seen.push(payload) }, { pollMs: 60_000 })
    const trx = await database.db.transaction()
    await insertJob(trx, { kind: 'greet', key: 'a', payload: { name: 'Bea' } })
    expect(seen).toEqual([])
    await trx.commit()
    await expectSoon({ a: 'done' })
    expect(seen).toEqual([{ name: 'Bea' }])
  })

  it('is queued once per key, ever', async () => {
    expect(await queue({ key: 'a' })).toBe(true)
    expect(await queue({ key: 'a' })).toBe(false)
    start({ greet: async () => undefined })
    await expectSoon({ a: 'done' })
    expect(await queue({ key: 'a' })).toBe(false)
  })

  it('that is cancelled before it starts never runs and hands back its payload', async () => {
    await queue({ key: 'a', payload: { name: 'Bo' }, runAt: new Date(Date.now() + 60_000) })
    expect(await database.db.transaction((trx) => cancelJobs(trx, ['a']))).toEqual(new Map([['a', { name: 'Bo' }]]))
    expect(await database.db.transaction((trx) => cancelJobs(trx, ['a']))).toEqual(new Map())
    await database.db('jobs').update({ run_at: new Date(0) })
    await queue({ key: 'b' })
    start({ greet: async () => undefined })
    await expectSoon({ a: 'cancelled', b: 'done' })
  })

  it('waits for its time without a poll', async () => {
    start({ greet: async () => undefined }, { pollMs: 60_000 })
    await queue({ key: 'a', runAt: new Date(Date.now() + 300) })
    expect(await states()).toEqual({ a: 'waiting' })
    await expectSoon({ a: 'done' })
  })

  it('of a kind this worker has no task for is left alone', async () => {
    await queue({ key: 'other', kind: 'sing' })
    await queue({ key: 'a' })
    const ran: string[] = []
    start({ greet: async ({ key }) => void ran.push(key) })
    await expectSoon({ other: 'waiting', a: 'done' })
    expect(ran).toEqual(['a'])
  })
})

describe('a job that fails', () => {
  it('is tried again later with its reason kept, and is dead after the last attempt', async () => {
    await queue({ key: 'a', maxAttempts: 2 })
    start({ greet: async () => Promise.reject(new Error('no network')) })
    await vi.waitFor(
      async () =>
        expect(await database.db('jobs').first()).toMatchObject({
          state: 'waiting',
          attempts: 1,
          last_error: 'no network',
        }),
      { timeout: 5000 },
    )
    const { run_at: runAt } = (await database.db('jobs').first())!
    expect(runAt.getTime()).toBeGreaterThan(Date.now() + 500)
    await database.db('jobs').update({ run_at: new Date(0) })
    workers[0]!.wake()
    await expectSoon({ a: 'dead' })
  })

  it('waits as long as the service asked', async () => {
    await queue({ key: 'a' })
    start({ greet: async () => Promise.reject(new RetryLater('too many', 120_000)) })
    await vi.waitFor(
      async () => expect(await database.db('jobs').first()).toMatchObject({ state: 'waiting', attempts: 1 }),
      { timeout: 5000 },
    )
    expect((await database.db('jobs').first())!.run_at.getTime()).toBeGreaterThan(Date.now() + 100_000)
  })

  it('is postponed without counting an attempt when it is only too early', async () => {
    let calls = 0
    await queue({ key: 'a', maxAttempts: 1 })
    start({
      greet: async () => {
        calls += 1
        return calls < 3 ? { runAgainAt: new Date(Date.now() + 50) } : undefined
      },
    })
    await expectSoon({ a: 'done' })
    expect(calls).toBe(3)
  })

  it.each([
    [1, 2_000],
    [2, 4_000],
    [5, 32_000],
    [30, 3_600_000],
  ])('after attempt %i waits %i ms and up to a fifth more', (attempts, ms) => {
    expect(backoffMs(attempts, () => 0)).toBe(ms)
    expect(backoffMs(attempts, () => 1)).toBe(ms * 1.2)
  })
})

describe('several servers', () => {
  it('do each of 200 jobs once', async () => {
    const done: string[] = []
    await database
      .db('jobs')
      .insert(Array.from({ length: 200 }, (_, index) => ({ kind: 'greet', key: `job-${index}`, payload: '{}' })))
    const others = Array.from({ length: 3 }, () => createKnex(database.connectionString))
    for (const db of others) workers.push(startWorker(db, { greet: async ({ key }) => void done.push(key) }, log))
    await vi.waitFor(async () => expect(await database.db('jobs').whereNot({ state: 'done' })).toEqual([]), {
      timeout: 20_000,
    })
    expect(done).toHaveLength(200)
    expect(new Set(done).size).toBe(200)
    await Promise.all(workers.map((worker) => worker.stop()))
    workers = []
    await Promise.all(others.map((db) => db.destroy()))
  })

  it('take over the job of one that died, whose late result changes nothing', async () => {
    await queue({ key: 'a' })
    const dead = (await claimJob(database.db, ['greet'], 60_000))!
    expect(await claimJob(database.db, ['greet'], 60_000)).toBeUndefined()
    await database.db('jobs').update({ lease_until: new Date(0) })
    const living = (await claimJob(database.db, ['greet'], 60_000))!
    expect(living).toMatchObject({ id: dead.id, attempts: 2 })
    await failJob(database.db, dead, 'late')
    expect(await states()).toEqual({ a: 'running' })
    await finishJob(database.db, living)
    expect(await states()).toEqual({ a: 'done' })
  })

  it('bury a job whose last attempt killed its server', async () => {
    await queue({ key: 'a', maxAttempts: 1 })
    await claimJob(database.db, ['greet'], 60_000)
    await database.db('jobs').update({ lease_until: new Date(0) })
    const ran: string[] = []
    start({ greet: async ({ key }) => void ran.push(key) })
    await expectSoon({ a: 'dead' })
    expect(ran).toEqual([])
  })

  it('keep a long job to themselves by extending the lease', async () => {
    await queue({ key: 'a' })
    const runs: string[] = []
    const tasks = (name: string): Tasks => ({
      greet: async () => {
        runs.push(name)
        await new Promise((resolve) => setTimeout(resolve, 900))
        return undefined
      },
    })
    start(tasks('first'), { leaseMs: 300 })
    start(tasks('second'), { leaseMs: 300, pollMs: 20 })
    await expectSoon({ a: 'done' })
    expect(runs).toHaveLength(1)
  })
})

it('a stopped worker finishes what it runs and takes nothing more', async () => {
  await queue({ key: 'a' })
  let finish = () => undefined as void
  const started = new Promise<void>((resolve) => {
    start(
      {
        greet: async () => {
          resolve()
          await new Promise<void>((end) => {
            finish = end
          })
          return undefined
        },
      },
      { atOnce: 1 },
    )
  })
  await started
  await queue({ key: 'b' })
  const stopping = workers[0]!.stop()
  finish()
  await stopping
  expect(await states()).toEqual({ a: 'done', b: 'waiting' })
})

it('jobs that ended a month ago are removed, dead ones kept', async () => {
  for (const key of ['done', 'cancelled', 'dead', 'waiting', 'fresh']) await queue({ key })
  await database.db.raw(`update jobs set state = key where key in ('done', 'cancelled', 'dead')`)
  await database.db.raw(`update jobs set updated_at = now() - interval '31 days' where key <> 'fresh'`)
  await database
    .db('jobs')
    .where({ key: 'fresh' })
    .update({ state: 'done', updated_at: new Date(Date.now() - 29 * 86_400_000) })
  expect(await purgeJobs(database.db)).toBe(2)
  expect(Object.keys(await states()).sort()).toEqual(['dead', 'fresh', 'waiting'])
})
