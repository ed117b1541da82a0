import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { serve } from '../app/serve.ts'
import { loadConfig } from '../config.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { connectTo, createPatience } from './reach-database.ts'

const { connectionString } = await setTestDatabase()

let door: Server | undefined
const held = new Set<Socket>()
afterEach(async () => {
  for (const socket of held) socket.destroy()
  await new Promise((resolve) => door?.close(resolve))
})

/** Stands before the real database: `opened` is asked at each knock, and what it turns away is hung up on or left unanswered. */
async function closedDoor(opened: () => boolean, { hangsUp }: { hangsUp: boolean }): Promise<string> {
  const { hostname, port } = new URL(connectionString)
  door = createServer((knock) => {
    held.add(knock.on('error', () => undefined))
    if (!opened()) return hangsUp ? void knock.destroy() : undefined
    const inside = connect(Number(port), hostname).on('error', () => undefined)
    held.add(inside)
    knock.pipe(inside).pipe(knock)
  })
  await new Promise<void>((resolve) => door?.listen(0, '127.0.0.1', resolve))
  const url = new URL(connectionString)
  url.hostname = '127.0.0.1'
  url.port = String((door.address() as AddressInfo).port)
  return url.href
}

it('a start waits for a database that comes late, says so in one line, and goes on', async () => {
  const said: string[] = []
  const DATABASE_URL = await closedDoor(() => said.length > 0, { hangsUp: true })
  const loaded = loadConfig({ DATABASE_URL, PORT: '0', LOG_LEVEL: 'fatal', DATABASE_WAIT_SECONDS: '100' })
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
  const url = await closedDoor(() => said.length > 0, { hangsUp: false })
  const patiently = createPatience({ waitMs: 60_000, sayAfterMs: 50, say: (line) => void said.push(line) })
  const client = await patiently(() => connectTo(url, 'late', { connectionTimeoutMillis: 100 }))
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await client.end()
})

it('what a pool or a superuser is not answered in time ends as one plain line', async () => {
  const url = await closedDoor(() => false, { hangsUp: false })
  const patiently = createPatience({ waitMs: 150 })
  await expect(patiently(() => connectTo(url, 'never', { connectionTimeoutMillis: 100 }))).rejects.toThrow(
    /^The database \w+ at 127\.0\.0\.1:\d+ cannot be used: timeout expired$/,
  )
  const raw = () => Promise.reject(new Error('timeout expired'))
  await expect(patiently(raw)).rejects.toMatchObject({
    name: 'DatabaseUnusable',
    message: 'The database did not answer in time: timeout expired',
  })
})
