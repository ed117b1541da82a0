import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { headers as wire, isOurAnswer, wireVersion } from '#shared/contract/request.ts'
import { setTestServer, type TestServer } from '../testing/test-server.ts'
import { oldestWireVersion } from './wire-version.ts'

const server = await setTestServer()
const newer = await setTestServer({ db: server.db, oldestWireVersion: 3 })
const client = await server.addMember('Olivia')

describe('the header of our server', () => {
  const batch = JSON.stringify({
    account: null,
    entries: [{ key: randomUUID(), route: 'nothing', lane: 'a' }],
  })

  it.each([
    ['a list', 'GET', '/api/events', undefined, 200],
    ['a refusal', 'POST', '/api/login', '{}', 400],
    ['a path without a call', 'GET', '/api/nothing', undefined, 404],
    ['the bare folder', 'GET', '/api', undefined, 404],
    ['a body that cannot be read', 'POST', '/api/login', '{', 400],
    ['a batch', 'POST', '/api/sync/mutations', batch, 200],
    ['a live stream', 'GET', '/api/sync/stream', undefined, 200],
    ['an answer without a body', 'POST', '/api/logout', undefined, 204],
    ["the card service's report", 'POST', '/api/stripe/webhook', '{}', null],
  ])('stands on %s', async (_, method, url, body, status) => {
    const answer = await client.request(method, url, body === undefined ? {} : { body })
    if (status !== null) expect(answer.status).toBe(status)
    expect(answer.headers.get(wire.serverVersion)).toBe(String(wireVersion))
    expect(isOurAnswer(answer.headers.get(wire.serverVersion))).toBe(true)
  })

  it('stands on nothing else', async () => {
    expect((await server.client().request('GET', '/healthz')).headers.get(wire.serverVersion)).toBeNull()
  })
})

describe('an app that names its version', () => {
  const ask = (to: TestServer, version: string | null, url = '/api/events', method = 'GET') =>
    to.client().request(method, url, { headers: { [wire.appVersion]: version } })

  it.each([
    ['0', 426],
    ['1', 426],
    ['2', 426],
    ['3', 200],
    ['4', 200],
    [null, 200],
    ['', 200],
    ['new', 200],
    ['-1', 200],
    ['1e9', 200],
  ])('%j meets %i where the oldest that is still spoken is 3', async (version, status) => {
    const answer = await ask(newer, version)
    expect(answer.status).toBe(status)
    if (status === 426)
      expect(answer.body).toMatchObject({
        code: 'app_too_old',
        message: 'This app is too old. Please update it.',
        requestId: answer.headers.get(wire.requestId),
      })
  })

  it.each([
    ['GET', '/api/user'],
    ['GET', '/api/sync/stream'],
    ['POST', '/api/sync/mutations'],
    ['POST', '/api/logout'],
  ])('and is too old is told so by %s %s', async (method, url) => {
    const answer = await ask(newer, '2', url, method)
    expect([answer.status, answer.headers.get(wire.serverVersion)]).toEqual([426, String(wireVersion)])
  })

  it('is spoken to when it is of this very version', async () => {
    expect(oldestWireVersion).toBeLessThanOrEqual(wireVersion)
    expect((await ask(server, String(wireVersion))).status).toBe(200)
  })
})
