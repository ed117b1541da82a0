import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createKnex } from '../db/knex-config.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { backoffMs, burySilentJobs, claimJobs, failJob, finishJob, postponeJob, purgeJobs } from './job-queue.ts'
import { cancelJobs, insertJob, type NewJob } from './job-store.ts'
import { GiveUp, RetryLater, startWorker, type Task, type Tasks, type Worker, type WorkerOptions } from './worker.ts'

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
const claim = async () => (await claimJobs(database.db, new Map([['greet', 1]]), 60_000, true))[0]
const fallSilent = async () =>
  await database
    .db('jobs')
    .where({ state: 'running' })
    .update({ leaseUntil: new Date(0) })
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
    await database.db('jobs').update({ runAt: new Date(0) })
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
          lastError: 'no network',
        }),
      { timeout: 5000 },
    )
    const { runAt } = (await database.db('jobs').first())!
    expect(runAt.getTime()).toBeGreaterThan(Date.now() + 500)
    await database.db('jobs').update({ runAt: new Date(0) })
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
    expect((await database.db('jobs').first())!.runAt.getTime()).toBeGreaterThan(Date.now() + 100_000)
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

  it('that is too early for a process whose clock is slow is asked about once a second, not without end', async () => {
    await queue({ key: 'a' })
    const job = await claim()
    // The database takes the hour for over; the process that has the job does not.
    await postponeJob(database.db, job!, new Date(Date.now() - 60_000))
    const { rows } = await database.db.raw<{ rows: { wait: number }[] }>(
      'select extract(epoch from run_at - updated_at)::float as wait from jobs',
    )
    expect(rows).toEqual([{ wait: 1 }])
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
    const dead = (await claim())!
    expect(await claim()).toBeUndefined()
    await fallSilent()
    const living = (await claim())!
    expect(living).toMatchObject({ id: dead.id, attempts: 2, takenOver: true })
    await failJob(database.db, dead, { text: 'late', retryAfterMs: 0, isFinal: false })
    expect(await states()).toEqual({ a: 'running' })
    await finishJob(database.db, living)
    expect(await states()).toEqual({ a: 'done' })
  })

  it('tell one holder from the next where an attempt was given back', async () => {
    await queue({ key: 'a' })
    const first = (await claim())!
    await fallSilent()
    const second = (await claim())!
    await postponeJob(database.db, second, new Date(0))
    await database.db('jobs').update({ runAt: new Date(0) })
    const third = (await claim())!
    expect([second.attempts, third.attempts]).toEqual([2, 2])
    await finishJob(database.db, second)
    await finishJob(database.db, first)
    expect(await states()).toEqual({ a: 'running' })
  })

  it('bury a job whose last attempt killed its server', async () => {
    await queue({ key: 'a', maxAttempts: 1 })
    await claim()
    await fallSilent()
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

describe('a task', () => {
  it('that lost its lease is told so and asks in vain, and its result changes nothing', async () => {
    await queue({ key: 'a' })
    const run = await begin({ leaseMs: 60_000 })
    expect(await run.given.stillHeld()).toBe(true)
    // As another server does whose clock said that the lease was over.
    await database.db.raw('update jobs set attempts = attempts + 1, claims = claims + 1')
    expect(await run.given.stillHeld()).toBe(false)
    expect(run.given.signal.aborted).toBe(true)
    run.end()
    await workers[0]!.stop()
    expect(await states()).toEqual({ a: 'running' })
  })

  it('learns by its own clock that the lease ran out while the database did not answer', async () => {
    await queue({ key: 'a' })
    const run = await begin({ leaseMs: 600 })
    await database.db.transaction(async (trx) => {
      await trx.raw('lock table jobs in access exclusive mode')
      const endedAt = new Promise<number>((resolve) =>
        run.given.signal.addEventListener('abort', () => resolve(performance.now())),
      )
      expect((await endedAt) - run.beganAt).toBeLessThan(1_200)
    })
    expect(await run.given.stillHeld()).toBe(false)
    run.end()
  })

  it('that hangs loses its job and its place, and another try is made', async () => {
    await queue({ key: 'a' })
    let tries = 0
    start(
      {
        greet: async () => {
          tries += 1
          if (tries === 1) await new Promise(() => undefined)
          return undefined
        },
      },
      { atOnce: 1, leaseMs: 200, longestRunMs: 300 },
    )
    await expectSoon({ a: 'done' })
    expect(tries).toBe(2)
  })

  it('that knows no other try can help ends its job at once', async () => {
    await queue({ key: 'a' })
    start({ greet: async () => Promise.reject(new GiveUp('the payload names no event')) })
    await expectSoon({ a: 'dead' })
    expect(await database.db('jobs').first()).toMatchObject({ attempts: 1, lastError: 'the payload names no event' })
  })

  it('that still runs when a server has waited long enough is told to end, and its job is handed back untried', async () => {
    await queue({ key: 'a', maxAttempts: 1 })
    const run = await begin(
      { patienceMs: 50 },
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        }),
    )
    await workers[0]!.stop()
    expect(run.given.signal.aborted).toBe(true)
    expect(await database.db('jobs').first()).toMatchObject({ state: 'waiting', attempts: 0, lastError: null })
  })

  async function begin(options: WorkerOptions, task?: Task) {
    let end = (): void => undefined
    const given = await new Promise<Parameters<Task>[1]>((resolve) => {
      start(
        {
          greet: async (job, run) => {
            resolve(run)
            if (task) return await task(job, run)
            await new Promise<void>((done) => {
              end = done
            })
            return undefined
          },
        },
        options,
      )
    })
    return { given, beganAt: performance.now(), end: () => end() }
  }
})

describe('kinds of jobs', () => {
  it('do not wait for each other: pushes go out while a flood of mails hangs', async () => {
    await database.db('jobs').insert(
      Array.from({ length: 300 }, (_, index) => ({
        kind: 'mail',
        key: `mail-${index}`,
        payload: '{}',
        runAt: new Date(0),
      })),
    )
    const hanging: (() => void)[] = []
    let most = 0
    start({
      mail: async () => {
        await new Promise<void>((resolve) => hanging.push(resolve))
        return undefined
      },
      push: async () => {
        most = Math.max(most, hanging.length)
        return undefined
      },
    })
    await vi.waitFor(() => expect(hanging).toHaveLength(4))
    for (let index = 0; index < 20; index += 1) await queue({ kind: 'push', key: `push-${index}` })
    await vi.waitFor(
      async () => expect(await database.db('jobs').where({ kind: 'push' }).whereNot({ state: 'done' })).toEqual([]),
      { timeout: 10_000 },
    )
    expect(most).toBe(4)
    expect(hanging).toHaveLength(4)
    await database.db('jobs').where({ kind: 'mail', state: 'waiting' }).del()
    for (const end of hanging) end()
  })

  it('are looked for without reading the flood of another kind', async () => {
    await database.db.raw(
      `insert into jobs (kind, key, payload, run_at) select 'mail', 'mail-' || n, '{}', now() - interval '1 hour' from generate_series(1, 20000) n`,
    )
    await queue({ kind: 'push', key: 'push', runAt: new Date(Date.now() - 1000) })
    await database.db.raw('analyze jobs')
    const { rows } = await database.db.raw<{ rows: { 'QUERY PLAN': string }[] }>(
      `explain (analyze, timing off, summary off) select id from unnest(array['push']) as p (kind) cross join lateral (
         select id from jobs where kind = p.kind and state = 'waiting' and run_at <= now()
         order by run_at, id limit 4 for update skip locked) j`,
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('jobs_due_of_kind')
    expect(plan).not.toContain('Seq Scan')
    const claimed = await claimJobs(database.db, new Map([['push', 4]]), 60_000, true)
    expect(claimed.map(({ key }) => key)).toEqual(['push'])
  })
})

describe('jobs whose server fell silent', () => {
  it('are taken over one at a time, so that the one which kills servers takes no others with it', async () => {
    for (const key of ['a', 'b', 'c']) await queue({ key })
    expect(await claimJobs(database.db, new Map([['greet', 4]]), 60_000, true)).toHaveLength(3)
    await fallSilent()
    let atOnce = 0
    let most = 0
    start({
      greet: async () => {
        most = Math.max(most, (atOnce += 1))
        await database.db.raw('select pg_sleep(0.05)')
        atOnce -= 1
        return undefined
      },
    })
    await expectSoon({ a: 'done', b: 'done', c: 'done' })
    expect(most).toBe(1)
  })

  it('are buried once, however many servers look', async () => {
    for (const key of ['a', 'b']) await queue({ key, maxAttempts: 1 })
    await claimJobs(database.db, new Map([['greet', 4]]), 60_000, false)
    await fallSilent()
    const buried = await Promise.all(Array.from({ length: 4 }, () => burySilentJobs(database.db, ['greet'])))
    expect(buried.flat()).toHaveLength(2)
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
    .update({ state: 'done', updatedAt: new Date(Date.now() - 29 * 86_400_000) })
  expect(await purgeJobs(database.db)).toBe(2)
  expect(Object.keys(await states()).sort()).toEqual(['dead', 'fresh', 'waiting'])
})
