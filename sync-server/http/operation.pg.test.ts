import type { Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

let server: TestServer
let behindProxy: TestServer
const addresses: string[] = []

beforeAll(async () => {
  const listPlans = async ({ address }: { address: string }) => {
    addresses.push(address)
    return []
  }
  server = await startTestServer({ handlers: { listPlans } })
  behindProxy = await startTestServer({ db: server.db, config: { trustProxy: true }, handlers: { listPlans } })
})
afterAll(async () => {
  await behindProxy.close()
  await server.close()
})

describe('a running server', () => {
  it('says that it is alive and ready, and what readiness rests on', async () => {
    expect((await server.client().request('GET', '/healthz')).status).toBe(200)
    const ready = await server.client().request('GET', '/readyz')
    expect([ready.status, ready.body]).toEqual([
      200,
      { database: true, migrated: true, listening: true, draining: false },
    ])
  })

  it('counts calls by route, never by the path somebody typed', async () => {
    await server.client().request('GET', '/api/events/4711')
    await server.client().request('GET', '/api/canary-path')
    const metrics: Server = await server.app.metrics.listen(0)
    const address = metrics.address()
    expect(typeof address === 'object' && address?.address).toBe('127.0.0.1')
    const text = await (await fetch(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`)).text()
    metrics.closeAllConnections()
    metrics.close()
    expect(text).toContain('beaconry_request_seconds_count{route="getEvent",status="404"} 1')
    expect(text).toContain('beaconry_open_streams 0')
    expect(text).not.toMatch(/4711|canary/)
  })

  it('believes a proxy about the caller only where it was told to, and then only its last word', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.2' }
    await server.client().request('GET', '/api/subscription-plans', { headers })
    await behindProxy.client().request('GET', '/api/subscription-plans', { headers })
    expect(addresses).toEqual(['127.0.0.1', '203.0.113.2'])
  })
})
