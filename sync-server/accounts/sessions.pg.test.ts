import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '#shared/accounts/session-calls.ts'
import { revokeSessions, sessionHash } from '../http/session-cookies.ts'
import { startPushService } from '../testing/push/push-service.ts'
import { setTestServer, type TestClient } from '../testing/test-server.ts'

const service = await startPushService()
afterAll(() => service.close())
const server = await setTestServer({ config: { pushHosts: [service.host] } })
let oliviaId: number
let phone: TestClient
let tablet: TestClient

/** A device on which a user is signed in, Olivia unless said otherwise. */
async function signedIn(name: string, userId = oliviaId): Promise<TestClient> {
  const client = server.client({ id: name, name })
  await client.signInAs(userId)
  return client
}
/** Turns alerts on for a device; answers the HTTP status. */
const subscribe = async (client: TestClient) =>
  (await client.call('subscribePush', { body: { ...service.subscribe(), expirationTime: null } })).status

beforeEach(async () => {
  await server.db('users').del()
  oliviaId = await server.createUser('Olivia')
  phone = await signedIn('phone')
  tablet = await signedIn('tablet')
  await subscribe(tablet)
})

const list = async (client: TestClient): Promise<Session[]> => (await client.call('listSessions')).body
const names = async (client: TestClient) => (await list(client)).map(({ deviceName }) => deviceName)
const alerted = async () => await server.db('push_subscriptions').orderBy('deviceId').pluck('deviceId')
const idOf = async (name: string) => (await list(phone)).find(({ deviceName }) => deviceName === name)?.id ?? 0

describe('the list of sessions', () => {
  it('tells the present one first, and which device is alerted; never what signs in', async () => {
    const sessions = await list(phone)
    expect(sessions).toMatchObject([
      { deviceName: 'phone', current: true, alerts: false },
      { deviceName: 'tablet', current: false, alerts: true },
    ])
    const text = (await phone.call('listSessions')).text
    for (const { idHash: hash } of await server.db('sessions').select('idHash')) expect(text).not.toContain(hash)
  })

  it('leaves out what has ended or run out, and everybody else', async () => {
    await signedIn('laptop of Otto', await server.createUser('Otto'))
    await signedIn('old phone')
    await server
      .db('sessions')
      .where({ deviceId: 'old phone' })
      .update({ expiresAt: new Date(0) })
    await tablet.call('logout')
    expect(await names(phone)).toEqual(['phone'])
  })

  it('shows the name its owner gives a device, which its alerts have too', async () => {
    expect((await tablet.call('renameDevice', { body: { name: ' iPad at the door ' } })).status).toBe(204)
    expect(await names(phone)).toEqual(['phone', 'iPad at the door'])
    expect(await server.db('push_subscriptions').first('deviceName')).toEqual({ deviceName: 'iPad at the door' })
    expect((await tablet.call('renameDevice', { body: { name: '  ' } })).body.message).toBe('Please enter a name')
  })
})

describe('ending sessions', () => {
  it('signs a lost phone out at once, with its alerts; twice is the same as once', async () => {
    const id = await idOf('tablet')
    expect((await phone.call('endSession', { params: { id } })).status).toBe(204)
    expect((await phone.call('endSession', { params: { id } })).status).toBe(204)
    expect([await tablet.whoAmI(), await phone.whoAmI()]).toEqual(['session_revoked', 200])
    expect(await alerted()).toEqual([])
  })

  it('signs out everywhere but here', async () => {
    await signedIn('laptop')
    const otto = await signedIn('laptop of Otto', await server.createUser('Otto'))
    expect((await phone.call('endOtherSessions')).status).toBe(204)
    expect(await names(phone)).toEqual(['phone'])
    expect([await tablet.whoAmI(), await otto.whoAmI()]).toEqual(['session_revoked', 200])
    expect(await alerted()).toEqual([])
  })

  it('of somebody else is not possible, and does not tell whether there is one', async () => {
    const otto = await signedIn('laptop of Otto', await server.createUser('Otto'))
    const foreign = await otto.call('endSession', { params: { id: await idOf('phone') } })
    const missing = await otto.call('endSession', { params: { id: 2_000_000_000 } })
    expect([foreign.status, foreign.body.message]).toEqual([missing.status, missing.body.message])
    expect(foreign.status).toBe(404)
    expect(await phone.whoAmI()).toBe(200)
  })

  it('of this device is signing out', async () => {
    expect((await phone.call('endSession', { params: { id: await idOf('phone') } })).status).toBe(204)
    expect(phone.cookies.size).toBe(0)
    expect([await phone.whoAmI(), await tablet.whoAmI()]).toEqual(['sign_in_required', 200])
  })
})

describe('alerts of a device', () => {
  const end = async (idHash: string) => await revokeSessions(server.db, { idHash }, new Date())
  const hashOf = (client: TestClient) => sessionHash(client.cookies.get('sid') ?? '')
  beforeEach(async () => void (await subscribe(phone)))

  it('end at sign-out, also when the device calls itself differently by then', async () => {
    expect((await phone.call('logout', { headers: { 'x-device-id': 'renamed' } })).status).toBe(204)
    expect(await alerted()).toEqual(['tablet'])
  })

  it('go on in the new session of a person who signs in again and repeats them', async () => {
    const old = hashOf(phone)
    await phone.signInAs(oliviaId)
    expect(await subscribe(phone)).toBe(204)
    await end(old)
    expect(await alerted()).toEqual(['phone', 'tablet'])
  })

  it('cannot be turned on by a call that crosses with the end of its session', async () => {
    for (let round = 0; round < 10; round++) {
      const client = await signedIn(`phone-${round}`)
      await Promise.all([subscribe(client), end(hashOf(client))])
    }
    expect(await alerted()).toEqual(['phone', 'tablet'])
  })
})
