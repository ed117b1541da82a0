import { describe, expect, it } from 'vitest'
import { createKnex } from '../db/knex-config.ts'
import { setJobStage } from '../testing/jobs/job-stage.ts'
import { endLeases } from '../testing/jobs/queued-jobs.ts'
import { failExpiredJobs, claimJobs, failJob, finishJob, postponeJob } from './job-queue.ts'
import type { Tasks } from './worker.ts'

const { db, connectionString, start, stopAll, queue, claim, states, expectSoon } = await setJobStage()

describe('several servers', () => {
  it('do each of sixty jobs once', async () => {
    const done: string[] = []
    await db('jobs').insert(
      Array.from({ length: 60 }, (_, index) => ({ kind: 'greet', key: `job-${index}`, payload: '{}' })),
    )
    const others = Array.from({ length: 3 }, () => createKnex(connectionString))
    for (const db of others) start({ greet: async ({ key }) => void done.push(key) }, {}, db)
    await expect.poll(async () => await db('jobs').whereNot({ state: 'done' })).toEqual([])
    expect(done).toHaveLength(60)
    expect(new Set(done).size).toBe(60)
    await stopAll()
    await Promise.all(others.map((db) => db.destroy()))
  })

  it('take over the job of one that died, whose late result changes nothing', async () => {
    await queue({ key: 'a' })
    const dead = (await claim())!
    expect(await claim()).toBeUndefined()
    await endLeases(db)
    const living = (await claim())!
    expect(living).toMatchObject({ id: dead.id, attempts: 2, takenOver: true })
    await failJob(db, dead, { text: 'late', retryAfterMs: 0, isFinal: false })
    expect(await states()).toEqual({ a: 'running' })
    await finishJob(db, living)
    expect(await states()).toEqual({ a: 'done' })
  })

  it('tell one holder from the next where an attempt was given back', async () => {
    await queue({ key: 'a' })
    const first = (await claim())!
    await endLeases(db)
    const second = (await claim())!
    await postponeJob(db, second, new Date(0))
    await db('jobs').update({ runAt: new Date(0) })
    const third = (await claim())!
    expect([second.attempts, third.attempts]).toEqual([2, 2])
    await finishJob(db, second)
    await finishJob(db, first)
    expect(await states()).toEqual({ a: 'running' })
  })

  it('bury a job whose last attempt killed its server', async () => {
    await queue({ key: 'a', maxAttempts: 1 })
    await claim()
    await endLeases(db)
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
        await new Promise((resolve) => setTimeout(resolve, 1_500))
        return undefined
      },
    })
    start(tasks('first'), { leaseMs: 600 })
    start(tasks('second'), { leaseMs: 600, pollMs: 20 })
    await expectSoon({ a: 'done' })
    expect(runs).toHaveLength(1)
  })
})

describe('kinds of jobs', () => {
  it('do not wait for each other: pushes go out while a flood of mails hangs', async () => {
    await db('jobs').insert(
      Array.from({ length: 300 }, (_, index) => ({
        kind: 'mail',
        key: `mail-${index}`,
        payload: '{}',
        runAt: new Date(0),
      })),
    )
    const hanging: (() => void)[] = []
    let max = 0
    start({
      mail: async () => {
        await new Promise<void>((resolve) => hanging.push(resolve))
        return undefined
      },
      push: async () => {
        max = Math.max(max, hanging.length)
        return undefined
      },
    })
    await expect.poll(() => hanging).toHaveLength(4)
    for (let index = 0; index < 20; index += 1) await queue({ kind: 'push', key: `push-${index}` })
    await expect.poll(async () => await db('jobs').where({ kind: 'push' }).whereNot({ state: 'done' })).toEqual([])
    expect(max).toBe(4)
    expect(hanging).toHaveLength(4)
    await db('jobs').where({ kind: 'mail', state: 'waiting' }).del()
    for (const end of hanging) end()
  })

  it('are looked for without reading the flood of another kind', async () => {
    await db.raw(
      `insert into jobs (kind, key, payload, run_at) select 'mail', 'mail-' || n, '{}', now() - interval '1 hour' from generate_series(1, 20000) n`,
    )
    await queue({ kind: 'push', key: 'push', runAt: new Date(Date.now() - 1000) })
    await db.raw('analyze jobs')
    const { rows } = await db.raw<{ rows: { 'QUERY PLAN': string }[] }>(
      `explain (analyze, timing off, summary off) select id from unnest(array['push']) as p (kind) cross join lateral (
         select id from jobs where kind = p.kind and state = 'waiting' and run_at <= now()
         order by run_at, id limit 4 for update skip locked) j`,
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('jobs_due_of_kind')
    expect(plan).not.toContain('Seq Scan')
    const claimed = await claimJobs(db, new Map([['push', 4]]), 60_000, true)
    expect(claimed.map(({ key }) => key)).toEqual(['push'])
  })
})

describe('jobs whose server fell silent', () => {
  it('are taken over one at a time, so that the one which kills servers takes no others with it', async () => {
    for (const key of ['a', 'b', 'c']) await queue({ key })
    expect(await claimJobs(db, new Map([['greet', 4]]), 60_000, true)).toHaveLength(3)
    await endLeases(db)
    let atOnce = 0
    let max = 0
    start({
      greet: async () => {
        max = Math.max(max, (atOnce += 1))
        await db.raw('select pg_sleep(0.05)')
        atOnce -= 1
        return undefined
      },
    })
    await expectSoon({ a: 'done', b: 'done', c: 'done' })
    expect(max).toBe(1)
  })

  it('are buried once, however many servers look', async () => {
    for (const key of ['a', 'b']) await queue({ key, maxAttempts: 1 })
    await claimJobs(db, new Map([['greet', 4]]), 60_000, false)
    await endLeases(db)
    const buried = await Promise.all(Array.from({ length: 4 }, () => failExpiredJobs(db, ['greet'])))
    expect(buried.flat()).toHaveLength(2)
  })
})
