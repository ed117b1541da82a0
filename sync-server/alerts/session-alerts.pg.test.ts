import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { revokeSessions, sessionHash } from '../http/session.ts'
import { startPushService, type PushService } from '../testing/push-service.ts'
import { startTestServer, type TestClient, type TestServer } from '../testing/test-server.ts'

let service: PushService
let server: TestServer
let oliviaId: number
let phone: TestClient

beforeAll(async () => {
  service = await startPushService()
  server = await startTestServer({ config: { pushHosts: [service.host] } })
})
afterAll(async () => {
  await server.close()
  await service.close()
})
beforeEach(async () => {
  await server.db('users').del()
  oliviaId = await server.createUser('Olivia')
  phone = await alerted('phone')
  await alerted('tablet')
})

async function alerted(id: string): Promise<TestClient> {
  const client = server.client({ id })
  await client.signInAs(oliviaId)
  expect(await subscribe(client)).toBe(204)
  return client
}

const subscribe = async (client: TestClient, headers: Record<string, string> = {}) =>
  (await client.call('subscribePush', { body: { ...service.subscribe(), expirationTime: null }, headers })).status
const hashOf = (client: TestClient) => sessionHash(client.cookies.get('sid') ?? '')
const devices = async () =>
  (await server.db('push_subscriptions').orderBy('deviceId').select('deviceId')).map((row) => row.deviceId)

describe('alerts of a device', () => {
  it('end when its session is ended elsewhere; those of other devices go on', async () => {
    await revokeSessions(server.db, { idHash: hashOf(phone) }, new Date())
    expect(await devices()).toEqual(['tablet'])
  })

  it('end everywhere when all sessions of the account are ended', async () => {
    await revokeSessions(server.db, { userId: oliviaId }, new Date())
    expect(await devices()).toEqual([])
  })

  it('end at sign-out, also when the device calls itself differently by then', async () => {
    const answer = await phone.call('logout', { headers: { 'x-device-id': 'renamed' } })
    expect(answer.status).toBe(204)
    expect(await devices()).toEqual(['tablet'])
  })

  it('go on in the new session of a person who signs in again and repeats them', async () => {
    const old = hashOf(phone)
    await phone.signInAs(oliviaId)
    expect(await subscribe(phone)).toBe(204)
    await revokeSessions(server.db, { idHash: old }, new Date())
    expect(await devices()).toEqual(['phone', 'tablet'])
  })

  it('cannot be turned on by a call that crosses with the end of its session', async () => {
    for (let round = 0; round < 10; round++) {
      const client = server.client({ id: `phone-${round}` })
      await client.signInAs(oliviaId)
      await Promise.all([subscribe(client), revokeSessions(server.db, { idHash: hashOf(client) }, new Date())])
    }
    expect(await devices()).toEqual(['phone', 'tablet'])
  })
})
