import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { setJobStage } from '../testing/jobs/job-stage.ts'
import { backoffMs, postponeJob, purgeJobs } from './job-queue.ts'
import { cancelJobs, insertJob } from './job-store.ts'
import { GiveUp, RetryLater, type Task, type WorkerOptions } from './worker.ts'

const { db, workers, start, queue, claim, states, expectSoon } = await setJobStage()

describe('a queued job', () => {
  it('runs as soon as its transaction commits, and not before', async () => {
    const seen: unknown[] = []
    start({ greet: async ({ payload }) => void seen.push(payload) }, { pollMs: 60_000 })
    const trx = await db.transaction()
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
    expect(await db.transaction((trx) => cancelJobs(trx, ['a']))).toEqual(new Map([['a', { name: 'Bo' }]]))
    expect(await db.transaction((trx) => cancelJobs(trx, ['a']))).toEqual(new Map())
    await db('jobs').update({ runAt: new Date(0) })
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
    const failed = { state: 'waiting', attempts: 1, lastError: 'no network' }
    await expect.poll(async () => await db('jobs').first()).toMatchObject(failed)
    const { runAt } = (await db('jobs').first())!
    expect(runAt.getTime()).toBeGreaterThan(Date.now() + 500)
    await db('jobs').update({ runAt: new Date(0) })
    workers[0]!.wake()
    await expectSoon({ a: 'dead' })
  })

  it('waits as long as the service asked', async () => {
    await queue({ key: 'a' })
    start({ greet: async () => Promise.reject(new RetryLater('too many', 120_000)) })
    await expect.poll(async () => await db('jobs').first()).toMatchObject({ state: 'waiting', attempts: 1 })
    expect((await db('jobs').first())!.runAt.getTime()).toBeGreaterThan(Date.now() + 100_000)
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

  it('that is too early for a slow clock is asked about once a second, not for ever', async () => {
    await queue({ key: 'a' })
    const job = await claim()
    // The database takes the hour for over; the process that has the job does not.
    await postponeJob(db, job!, new Date(Date.now() - 60_000))
    const { rows } = await db.raw<{ rows: { wait: number }[] }>(
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

describe('a task', () => {
  it('that lost its lease is told so and asks in vain, and its result changes nothing', async () => {
    await queue({ key: 'a' })
    const run = await begin({ leaseMs: 60_000 })
    expect(await run.given.stillHeld()).toBe(true)
    // As another server does whose clock said that the lease was over.
    await db.raw('update jobs set attempts = attempts + 1, claims = claims + 1')
    expect(await run.given.stillHeld()).toBe(false)
    expect(run.given.signal.aborted).toBe(true)
    run.end()
    await workers[0]!.stop()
    expect(await states()).toEqual({ a: 'running' })
  })

  it('learns by its own clock that the lease ran out while the database did not answer', async () => {
    await queue({ key: 'a' })
    const run = await begin({ leaseMs: 600 })
    await db.transaction(async (trx) => {
      await trx.raw('lock table jobs in access exclusive mode')
      await once(run.given.signal, 'abort')
    })
    expect(await run.given.stillHeld()).toBe(false)
    run.end()
  })

  it('that hangs loses its job and its slot, and another try is made', async () => {
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
    expect(await db('jobs').first()).toMatchObject({ attempts: 1, lastError: 'the payload names no event' })
  })

  it('that still runs when a server stops is told to end, and its job is handed back untried', async () => {
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
    expect(await db('jobs').first()).toMatchObject({ state: 'waiting', attempts: 0, lastError: null })
  })

  it('that runs when its worker is stopped is finished, and nothing more is taken', async () => {
    await queue({ key: 'a' })
    const run = await begin({ atOnce: 1 })
    await queue({ key: 'b' })
    const stopping = workers[0]!.stop()
    run.end()
    await stopping
    expect(await states()).toEqual({ a: 'done', b: 'waiting' })
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
    return { given, end: () => end() }
  }
})

it('takes no job that the look at the database before it has taken away', async () => {
  await queue({ key: 'a' })
  const beforeLook = async () => {
    await db('jobs').where({ key: 'a' }).update({ state: 'cancelled' })
  }
  start({ greet: async () => undefined }, { beforeLook })
  await queue({ key: 'b' })
  await expect.poll(states).toEqual({ a: 'cancelled', b: 'done' })
})

it('jobs that ended a month ago are removed, dead ones kept', async () => {
  for (const key of ['done', 'cancelled', 'dead', 'waiting', 'fresh']) await queue({ key })
  await db.raw(`update jobs set state = key where key in ('done', 'cancelled', 'dead')`)
  await db.raw(`update jobs set updated_at = now() - interval '31 days' where key <> 'fresh'`)
  await db('jobs')
    .where({ key: 'fresh' })
    .update({ state: 'done', updatedAt: new Date(Date.now() - 29 * 86_400_000) })
  expect(await purgeJobs(db, new Date())).toBe(2)
  expect(Object.keys(await states()).sort()).toEqual(['dead', 'fresh', 'waiting'])
})
