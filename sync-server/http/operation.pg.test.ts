import type { Server } from 'node:http'
import { insertJobs } from '../jobs/job-store.ts'
import { queueMails } from '../mail/mail-store.ts'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { connectionStringOf, createKnex } from '../db/knex-config.ts'
import { startListener } from '../db/listener.ts'
import { FEED_CHANNEL } from '../feed/change-feed.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { setTestServer, startTestServer } from '../testing/test-server.ts'

const addresses: string[] = []

const listPlans = async ({ address }: { address: string }) => {
  addresses.push(address)
  return []
}
const server = await setTestServer({ handlers: { listPlans } })
const behindProxy = await setTestServer({ db: server.db, config: { proxies: 1 }, handlers: { listPlans } })
const behindTwo = await setTestServer({ db: server.db, config: { proxies: 2 }, handlers: { listPlans } })

describe('a running server', () => {
  it('says that it is alive and ready, and what readiness rests on', async () => {
    expect((await server.client().request('GET', '/healthz')).status).toBe(200)
    const ready = await server.client().request('GET', '/readyz')
    expect([ready.status, ready.body]).toEqual([
      200,
      { database: true, migrated: true, listening: true, hearing: true, draining: false },
    ])
  })

  it('is not ready where it listens to another database than it announces in', async () => {
    const other = await createTestDatabase()
    const db = createKnex(connectionStringOf(server.db), { directUrl: other.connectionString })
    const deaf = await startTestServer({ db })
    const ready = await Promise.all([1, 2].map(() => deaf.client().request('GET', '/readyz')))
    expect(ready.map(({ status, body }) => [status, body])).toEqual(
      ready.map(() => [503, { database: true, migrated: true, listening: true, hearing: false, draining: false }]),
    )
    await deaf.close()
    await db.destroy()
    await other.drop()
  })

  it('announces once for all who ask for its readiness', async () => {
    const heard: string[] = []
    const ear = startListener({
      connectionString: connectionStringOf(server.db),
      channel: FEED_CHANNEL,
      name: 'a test',
      onNotification: (payload) => void heard.push(payload),
      onResumed: () => undefined,
      log: pino({ level: 'silent' }),
    })
    await ear.begun
    const asked = Array.from({ length: 20 }, () => behindProxy.client().request('GET', '/readyz'))
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 200))
    await server.db.raw(`select pg_notify(?, 'end')`, [FEED_CHANNEL])
    await expect.poll(() => heard.at(-1)).toBe('end')
    expect(heard).toHaveLength(2)
    await ear.close()
  })

  it('counts calls by route, never by the path somebody typed', async () => {
    await server.client().request('GET', '/api/events/4711')
    await server.client().request('GET', '/api/canary-path')
    const text = await readMetrics()
    expect(text).toContain('beaconry_request_seconds_count{route="getEvent",status="404"} 1')
    expect(text).toContain('beaconry_open_streams 0')
    // What was typed would stand in a label or a name: a value, such as the seconds of processor
    // time, may hold the same digits by chance.
    const labelsAndNames = text.replaceAll(/ \S+$/gm, '')
    expect(labelsAndNames).toContain('route="getEvent"')
    expect(labelsAndNames).not.toMatch(/4711|canary/)
  })

  it('tells what waits and what was given up, by words of ours alone', async () => {
    const { db } = server
    const due = new Date(Date.now() - 90_000)
    await db.transaction(async (trx) => {
      await insertJobs(trx, [
        { kind: 'send-push', key: 'canary-a', payload: { name: 'canary' }, runAt: due },
        { kind: 'send-push', key: 'canary-b', payload: {} },
        { kind: 'send-push', key: 'canary-c', payload: {} },
      ])
      await trx('jobs').where({ key: 'canary-c' }).update({ state: 'dead', lastError: 'canary' })
      const to = { name: 'canary', address: 'canary@example.com' }
      await queueMails(trx, [
        { kind: 'reminder', key: 'canary', to, payload: {} },
        { kind: 'reminder', key: 'canary-2', to, payload: {} },
      ])
      await trx('mails').where({ key: 'canary' }).update({ state: 'failed' })
    })
    const text = await readMetrics()
    expect(text).toContain('beaconry_jobs{kind="send-push",state="waiting"} 2')
    expect(text).toContain('beaconry_jobs{kind="send-push",state="dead"} 1')
    expect(Number(/beaconry_jobs_overdue_seconds{kind="send-push"} ([\d.]+)/.exec(text)?.[1])).toBeGreaterThan(89)
    expect(text).toContain('beaconry_mails{state="failed"} 1')
    expect(text).toContain('beaconry_mails{state="queued"} 1')
    expect(text).not.toContain('canary')
    await db('jobs').where({ kind: 'send-push' }).del()
    expect(await readMetrics()).not.toContain('send-push')
  })

  it('believes a proxy about the caller where told to, one word for each proxy', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.9, 198.51.100.1, 203.0.113.2' }
    await server.client().request('GET', '/api/subscription-plans', { headers })
    await behindProxy.client().request('GET', '/api/subscription-plans', { headers })
    await behindTwo.client().request('GET', '/api/subscription-plans', { headers })
    expect(addresses).toEqual(['127.0.0.1', '203.0.113.2', '198.51.100.1'])
  })
})

async function readMetrics(): Promise<string> {
  const metrics: Server = await server.app.metrics.listen(0, '127.0.0.1')
  const address = metrics.address()
  expect(typeof address === 'object' && address?.address).toBe('127.0.0.1')
  const text = await (await fetch(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`)).text()
  metrics.closeAllConnections()
  metrics.close()
  return text
}
