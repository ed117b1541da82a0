import { beforeEach, describe, expect, it } from 'vitest'
import { revokeSessions, sessionHash } from '../http/session-cookies.ts'
import { setAlertedServer } from '../testing/push/alerted-server.ts'
import type { TestClient } from '../testing/test-server.ts'

const { server, olivia, signedIn, subscribe } = await setAlertedServer()
let phone: TestClient

beforeEach(async () => {
  phone = await alerted('phone')
  await alerted('tablet')
})

async function alerted(name: string): Promise<TestClient> {
  const client = await signedIn(name)
  expect(await subscribe(client)).toBe(204)
  return client
}

const hashOf = (client: TestClient) => sessionHash(client.cookies.get('sid') ?? '')
const devices = async () =>
  (await server.db('push_subscriptions').orderBy('deviceId').select('deviceId')).map((row) => row.deviceId)

describe('alerts of a device', () => {
  it('end at sign-out, also when the device calls itself differently by then', async () => {
    const answer = await phone.call('logout', { headers: { 'x-device-id': 'renamed' } })
    expect(answer.status).toBe(204)
    expect(await devices()).toEqual(['tablet'])
  })

  it('go on in the new session of a person who signs in again and repeats them', async () => {
    const old = hashOf(phone)
    await phone.signInAs(olivia.id)
    expect(await subscribe(phone)).toBe(204)
    await revokeSessions(server.db, { idHash: old }, new Date())
    expect(await devices()).toEqual(['phone', 'tablet'])
  })

  it('cannot be turned on by a call that crosses with the end of its session', async () => {
    for (let round = 0; round < 10; round++) {
      const client = await signedIn(`phone-${round}`)
      await Promise.all([subscribe(client), revokeSessions(server.db, { idHash: hashOf(client) }, new Date())])
    }
    expect(await devices()).toEqual(['phone', 'tablet'])
  })
})
