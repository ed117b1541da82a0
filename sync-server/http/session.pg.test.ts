import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { beforeEach, describe, expect, it } from 'vitest'
import { setTestServer, startTestServer, type TestClient } from '../testing/test-server.ts'
import { currentEpoch } from '../feed/epoch.ts'
import { sessionHash, sessionMiddleware, type SessionState } from './session-cookies.ts'

const DAY_MS = 86_400_000
let clock = Date.now()
let phone: TestClient

const server = await setTestServer({ now: () => new Date(clock) })
const olivia = { email: 'olivia@example.com', password: 'lantern' }
const { id: userId } = await server.client().ok('register', { body: { username: 'Olivia', ...olivia } })
beforeEach(() => {
  clock = Date.now()
  phone = server.client({ name: "Olivia's phone" })
})

const signIn = (client = phone) => client.call('login', { body: olivia })
const sessionRow = (client = phone) =>
  server
    .db('sessions')
    .where({ idHash: sessionHash(client.cookies.get('sid') ?? '') })
    .first()

describe('a session', () => {
  it('sets no cookie before somebody signs in', async () => {
    const answer = await phone.call('getUser')
    expect([answer.status, answer.body.code, answer.headers.getSetCookie()]).toEqual([401, 'sign_in_required', []])
  })

  it('is a cookie of 32 random bytes no script can read, of which only the hash is stored', async () => {
    const answer = await signIn()
    // The other one says that this browser has been signed in with, and nothing else.
    const [known = '', cookie = ''] = answer.headers.getSetCookie().toSorted()
    expect(answer.headers.getSetCookie()).toHaveLength(2)
    expect(known).toMatch(/^known=[\w-]{43}; /)
    expect(cookie).toMatch(/^sid=[\w-]{43}; /)
    expect(cookie.toLowerCase()).toMatch(/path=\/.*samesite=strict.*httponly/)
    expect(await sessionRow()).toMatchObject({
      userId,
      deviceId: phone.deviceId,
      deviceName: "Olivia's phone",
    })
    expect(JSON.stringify(await server.db('sessions'))).not.toContain(phone.cookies.get('sid'))
    expect(await phone.whoAmI()).toBe(200)
  })

  it('has a span as well as an end, which a proxy’s date does not change', async () => {
    const cookies = (await signIn()).headers.getSetCookie().toSorted()
    expect(cookies.map((cookie) => Number(/; max-age=(\d+);/.exec(cookie)?.[1]) / 86_400)).toEqual([
      expect.closeTo(400, 2),
      expect.closeTo(90, 2),
    ])
    const { headers } = await phone.call('logout')
    expect(headers.getSetCookie()).toEqual([expect.stringContaining('; max-age=0;')])
    await signIn()
  })

  it('has a new id after signing in, whatever cookie came with it', async () => {
    phone.cookies.set('sid', 'planted-by-an-attacker')
    await signIn()
    const first = phone.cookies.get('sid')
    expect(first).not.toBe('planted-by-an-attacker')
    await signIn()
    expect(phone.cookies.get('sid')).not.toBe(first)
    const old = server.client()
    old.cookies.set('sid', first ?? '')
    expect(await old.whoAmI()).toBe('session_revoked')
  })

  it('ends at sign-out: the cookie goes, and a copy of it is worthless', async () => {
    await signIn()
    const copy = server.client()
    copy.cookies.set('sid', phone.cookies.get('sid') ?? '')
    expect((await phone.call('logout')).status).toBe(204)
    expect([...phone.cookies.keys()]).toEqual(['known'])
    expect(await phone.whoAmI()).toBe('sign_in_required')
    expect(await copy.whoAmI()).toBe('session_revoked')
    expect((await phone.call('logout')).status).toBe(204)
  })

  it('stays ended when requests and the sign-out cross', async () => {
    await signIn()
    const copy = server.client()
    copy.cookies.set('sid', phone.cookies.get('sid') ?? '')
    await Promise.all([phone.call('logout'), ...Array.from({ length: 10 }, () => copy.call('getUser'))])
    expect(await copy.whoAmI()).toBe('session_revoked')
  })

  it('expires after 30 days without use, not before', async () => {
    await signIn()
    clock += 29 * DAY_MS
    expect(await phone.whoAmI()).toBe(200)
    clock += 29 * DAY_MS
    expect(await phone.whoAmI()).toBe(200)
    clock += 30 * DAY_MS + 1
    expect(await phone.whoAmI()).toBe('session_expired')
  })

  it('expires after 90 days however much it is used', async () => {
    await signIn()
    for (let day = 0; day < 80; day += 20) {
      clock += 20 * DAY_MS
      expect(await phone.whoAmI()).toBe(200)
    }
    clock += 10 * DAY_MS + 1
    expect(await phone.whoAmI()).toBe('session_expired')
  })

  it('is written to at most every ten minutes', async () => {
    await signIn()
    const seenAt = async () => (await sessionRow())?.lastSeenAt.getTime()
    const before = await seenAt()
    clock += 9 * 60_000
    await phone.whoAmI()
    expect(await seenAt()).toBe(before)
    clock += 2 * 60_000
    await phone.whoAmI()
    expect(await seenAt()).toBe(clock)
  })

  it('of which nothing is known any more counts as expired', async () => {
    phone.cookies.set('sid', 'forgotten')
    expect(await phone.whoAmI()).toBe('session_expired')
  })

  it('is found together with the epoch', async () => {
    await signIn()
    const koa = new Koa<SessionState>()
    koa.use(sessionMiddleware(koa, server.db, server.origin, () => new Date()))
    koa.use((ctx) => {
      ctx.body = { epoch: ctx.state.epoch }
    })
    const listening = koa.listen(0, '127.0.0.1')
    await once(listening, 'listening')
    const { port } = listening.address() as AddressInfo
    const epochWith = async (cookie: string) =>
      await (await fetch(`http://127.0.0.1:${port}`, { headers: { cookie } })).json()
    expect(await epochWith(`sid=${phone.cookies.get('sid')}`)).toEqual({ epoch: await currentEpoch(server.db) })
    expect(await epochWith('sid=unknown')).toEqual({ epoch: null })
    listening.close()
  })

  it('is bound to host and https where people come by https', async () => {
    const secure = await startTestServer({ db: server.db, config: { publicOrigin: 'https://beaconry.example' } })
    const answer = await signIn(secure.client())
    const [known, cookie] = answer.headers.getSetCookie().toSorted()
    expect(known?.toLowerCase()).toMatch(/^__host-known=[\w-]{43}; path=\/; .*secure/)
    expect(cookie?.toLowerCase()).toMatch(/^__host-sid=[\w-]{43}; path=\/; .*secure/)
    expect(answer.headers.get('strict-transport-security')).toContain('max-age=')
    await secure.close()
  })
})

it('a change that names its account is refused in another’s session, and waits without one', async () => {
  await signIn()
  const foreign = await phone.call('deleteEvent', { params: { id: 1 }, headers: { 'x-account': String(userId + 1) } })
  expect([foreign.status, foreign.body.code]).toEqual([409, 'account_mismatch'])
  const stranger = server.client()
  const waiting = await stranger.call('applyAsBeacon', {
    params: { eventId: 1 },
    body: {},
    headers: { 'x-account': String(userId) },
  })
  expect([waiting.status, waiting.body.code]).toEqual([401, 'sign_in_required'])
  expect((await stranger.call('logout', { headers: { 'x-account': String(userId) } })).status).toBe(204)
})
