import { afterAll, expect, it } from 'vitest'
import { createKnex } from '../db/knex-config.ts'
import { startRoadTo } from '../testing/proxies/port-forwarder.ts'
import { applicationBody, eventBody } from '../testing/route-rig.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

const { db, connectionString } = await setTestDatabase()

const servers: { server: TestServer; pool: ReturnType<typeof createKnex> }[] = []
async function startOn(url: string): Promise<TestServer> {
  const pool = createKnex(url)
  const server = await startTestServer({ db: pool })
  servers.push({ server, pool })
  return server
}
afterAll(async () => {
  for (const { server, pool } of servers) {
    await server.close()
    await pool.destroy()
  }
})

/** Of each request the status, the time it asks to wait, and its log lines of a level above that of plain calls. */
const troubleIn = (log: readonly string[]) =>
  log.map((line) => JSON.parse(line) as { level: number; err?: { code?: string } }).filter(({ level }) => level > 30)

it('a database that is away is a 503 with a time to wait everywhere, and one warning', async () => {
  const road = await startRoadTo(connectionString)
  const server = await startOn(road.url)
  const olivia = await server.addOrganizer('Olivia')
  const { id } = await olivia.ok('createEvent', { body: eventBody() })
  expect((await server.client().request('GET', '/readyz')).status).toBe(200)
  await road.close()

  const visitor = server.client()
  const answers = [
    await olivia.call('getUser'),
    await olivia.call('createEvent', { body: eventBody() }),
    await visitor.call('login', { body: { email: 'olivia@example.com', password: 'long enough' } }),
    await visitor.call('listEvents'),
    await visitor.call('applyAsBeacon', { params: { eventId: id }, body: applicationBody() }),
    await visitor.request('GET', '/sitemap.xml'),
    await visitor.request('GET', `/events/${id}.ics`),
    await visitor.request('GET', `/events/${id}/preview.png`),
    await visitor.request('GET', `/pictures/events/${id}/${'0'.repeat(64)}.webp`),
    await visitor.request('POST', `/unsubscribe/7.${'a'.repeat(43)}`),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503))
  expect(answers.map(({ headers }) => headers.get('retry-after'))).toEqual(answers.map(() => '1'))
  const ready = await visitor.request('GET', '/readyz')
  expect([ready.status, ready.body.database]).toEqual([503, false])

  const lines = troubleIn(server.log.filter((line) => line.includes('requestId')))
  expect(lines.every(({ level }) => level === 40)).toBe(true)
  const causes = lines.map(({ err }) => err?.code)
  expect(causes).toEqual([...new Set(causes)])
})

it('a database that takes no writes is not ready, and asks who writes to come again', async () => {
  const url = new URL(connectionString)
  url.searchParams.set('options', '-c default_transaction_read_only=on')
  const writing = await startTestServer({ db })
  const member = await writing.addMember('Mara')
  const server = await startOn(url.href)
  const mara = { ...server.client(), userId: member.userId }
  for (const [name, value] of member.cookies) mara.cookies.set(name, value)

  expect((await mara.call('listEvents')).status).toBe(200)
  const answers = [
    await server.client().call('login', { body: { email: 'mara@example.com', password: 'long enough' } }),
    await mara.call('createEvent', { body: eventBody() }),
    await mara.call('logout'),
  ]
  expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
    answers.map(() => [503, '1']),
  )
  const ready = await server.client().request('GET', '/readyz')
  expect([ready.status, ready.body.database]).toEqual([503, false])
  expect(troubleIn(server.log)).toMatchObject([{ level: 40, err: { code: '25006' } }])
  await writing.close()
})
