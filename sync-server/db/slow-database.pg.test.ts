import { afterEach, expect, it } from 'vitest'
import { serve } from '../app/serve.ts'
import { loadConfig } from '../config.ts'
import { startRoadTo } from '../testing/proxies/port-forwarder.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { connectTo, createPatience } from './reach-database.ts'

const { connectionString } = await setTestDatabase()

let road: Awaited<ReturnType<typeof startRoadTo>>
afterEach(() => road.close())

it('a start waits for a database that comes late, says so in one line, and goes on', async () => {
  const said: string[] = []
  road = await startRoadTo(connectionString, () => (said.length > 0 ? 'lead on' : 'hang up'))
  const loaded = loadConfig({ DATABASE_URL: road.url, PORT: '0', LOG_LEVEL: 'fatal', DATABASE_WAIT_SECONDS: '100' })
  if (!loaded.ok) throw new Error(loaded.errors.join())
  const server = await serve(loaded.config, (text) => void said.push(text), { sayAfterMs: 200 })
  await server.stop()
  expect(said).toEqual([
    '\n  The database is not ready yet; waiting for it, at most 100 s.\n',
    expect.stringContaining('Beaconry is ready'),
  ])
})

it('a connection that is accepted and not answered is given up and tried again', async () => {
  const said: string[] = []
  road = await startRoadTo(connectionString, () => (said.length > 0 ? 'lead on' : 'leave'))
  const patiently = createPatience({ waitMs: 60_000, sayAfterMs: 50, say: (line) => void said.push(line) })
  const client = await patiently(() => connectTo(road.url, 'late', { connectionTimeoutMillis: 100 }))
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await client.end()
})

it('what a pool or a superuser is not answered in time ends as one plain line', async () => {
  road = await startRoadTo(connectionString, () => 'leave')
  const patiently = createPatience({ waitMs: 150 })
  await expect(patiently(() => connectTo(road.url, 'never', { connectionTimeoutMillis: 100 }))).rejects.toThrow(
    /^The database \w+ at 127\.0\.0\.1:\d+ cannot be used: timeout expired$/,
  )
  const raw = () => Promise.reject(new Error('timeout expired'))
  await expect(patiently(raw)).rejects.toMatchObject({
    name: 'DatabaseUnusable',
    message: 'The database did not answer in time: timeout expired',
  })
})
