import { spawn, type ChildProcess } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { programFile } from '../testing/programs.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { insertJobs, type NewJob } from './job-store.ts'
import { fullSize, sized } from '../testing/proof-size.ts'

let servers: { end(): Promise<number | null> }[] = []

const { db, connectionString } = await setTestDatabase()
await db.raw(`
  create table steps (key text, step text, pid integer, at timestamptz default clock_timestamp());
  create table effects (key text, pid integer);
  create table gates (id integer);`)
beforeEach(async () => await db.raw('truncate jobs, steps, effects, gates'))
afterEach(async () => {
  await Promise.all(servers.map((server) => server.end()))
  servers = []
})

/** A real process; a new one takes its place whenever it dies. */
function startServer(leaseMs = 1_500) {
  let deaths = 0
  let ending = false
  let child: ChildProcess
  let ended: Promise<number | null>
  const begin = () => {
    const started = spawn(process.execPath, [programFile('worker')], {
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? '',
        DATABASE_URL: connectionString,
        LEASE_MS: String(leaseMs),
      },
      stdio: 'inherit',
    })
    child = started
    ended = new Promise((resolve) =>
      started.once('exit', (code) => {
        if (ending) return resolve(code)
        deaths += 1
        begin()
        resolve(code)
      }),
    )
  }
  begin()
  const server = {
    pid: () => child.pid ?? 0,
    deaths: () => deaths,
    signal: (signal: NodeJS.Signals) => void child.kill(signal),
    /** SIGTERM, and no new one in its place. Answers how it ended. */
    end: async () => {
      ending = true
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      return await ended
    },
  }
  servers.push(server)
  return server
}

const queue = async (jobs: readonly (Omit<NewJob, 'kind' | 'payload'> & { payload?: NewJob['payload'] })[]) =>
  await db.transaction((trx) =>
    insertJobs(
      trx,
      jobs.map((job) => ({ kind: 'deliver', payload: {}, ...job })),
    ),
  )
const states = async () => Object.fromEntries((await db('jobs').orderBy('id')).map(({ key, state }) => [key, state]))
const expectSoon = async (expected: Record<string, string>) => await expect.poll(states).toEqual(expected)
const effectsOf = async (key: string) => await db('effects').where({ key }).select('pid')
const stepsOf = async (key: string) =>
  (await db('steps').where({ key }).orderBy('at')).map(({ step }: { step: string }) => step)

describe('a server that is killed', { timeout: 120_000 }, () => {
  const deaths: [string, NewJob['payload'], number][] = [
    ['right after it took a job', { dieAt: 'claimed' }, 1],
    ['in the middle of a job', { dieAt: 'middle' }, 1],
    // Nobody but the task can know that what left had arrived: it keeps a mark, or it is done again.
    ['after the effect, before it could say so', { dieAt: 'effect' }, 2],
    ['after an effect that was marked with it', { dieAt: 'effect', marked: true }, 1],
  ]

  it.each(sized(deaths, deaths.slice(2, 3)))(
    '%s leaves it to the next, and nothing is lost',
    async (_, payload, effects) => {
      const server = startServer()
      await queue([{ key: 'a', payload }])
      await expectSoon({ a: 'done' })
      expect(server.deaths()).toBe(1)
      expect(await db('jobs').first()).toMatchObject({ attempts: 2, lastError: null })
      expect(await effectsOf('a')).toHaveLength(effects)
    },
  )

  if (fullSize) {
    it('by the same job again and again buries that job and does the others', async () => {
      const server = startServer()
      await queue([
        { key: 'poison', payload: { dieAt: 'middle', dieTimes: 99 }, maxAttempts: 3 },
        { key: 'b', payload: { waits: true } },
        { key: 'c', payload: { waits: true } },
        { key: 'd', payload: { waits: true } },
      ])
      await db('gates').insert({ id: 1 })
      await expectSoon({ poison: 'dead', b: 'done', c: 'done', d: 'done' })
      expect(server.deaths()).toBe(3)
      expect(await db('jobs').where({ key: 'poison' }).first()).toMatchObject({
        attempts: 3,
        lastError: 'the server stopped while it ran',
      })
      expect(await effectsOf('poison')).toEqual([])
      for (const key of ['b', 'c', 'd']) expect(await effectsOf(key)).toHaveLength(1)
    })
  }
})

describe('several servers', { timeout: 120_000 }, () => {
  it('told to stop end what they run and leave with nothing under way', async () => {
    const server = startServer(60_000)
    await queue(Array.from({ length: 50 }, (_, index) => ({ key: `job-${index}` })))
    await expect.poll(async () => (await db('jobs').where({ state: 'done' })).length).toBeGreaterThan(3)
    expect(await server.end()).toBe(0)
    expect(await db('jobs').where({ state: 'running' })).toEqual([])
    expect(await db('jobs').whereNotIn('state', ['done', 'waiting'])).toEqual([])
  })

  if (fullSize) {
    it('one of which stands still for longer than its lease: the other does the job, and the first refrains', async () => {
      const first = startServer()
      await queue([{ key: 'a', payload: { waits: true } }])
      await expect.poll(async () => await stepsOf('a')).toEqual(['claimed'])
      const frozen = first.pid()
      first.signal('SIGSTOP')
      const second = startServer()
      await expect.poll(async () => await stepsOf('a')).toEqual(['claimed', 'claimed'])
      await db('gates').insert({ id: 1 })
      await expectSoon({ a: 'done' })
      first.signal('SIGCONT')
      await expect.poll(async () => await stepsOf('a')).toContain('refrained')
      expect(first.pid()).toBe(frozen)
      expect(await effectsOf('a')).toEqual([{ pid: second.pid() }])
      expect(await states()).toEqual({ a: 'done' })
    })

    it('killed at random lose nothing, and what they do twice was under way when they died', async () => {
      const group = [startServer(), startServer()]
      const keys = Array.from({ length: 200 }, (_, index) => `job-${index}`)
      await queue(keys.map((key) => ({ key })))
      for (const at of [20, 70, 120]) {
        await expect.poll(async () => (await db('jobs').where({ state: 'done' })).length).toBeGreaterThan(at)
        group[at % 2]?.signal('SIGKILL')
      }
      await expectSoon(Object.fromEntries(keys.map((key) => [key, 'done'])))
      const twice = await db('effects').groupBy('key').havingRaw('count(*) > 1').select('key')
      const again = await db('jobs').where('attempts', '>', 1)
      expect(twice.length).toBeLessThanOrEqual(again.length)
      // Four slots in each of three that died.
      expect(again.length).toBeLessThanOrEqual(12)
      const done = await db('effects').distinct('key')
      expect(done).toHaveLength(200)
    })
  }
})
