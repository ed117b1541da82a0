import { describe, expect, it } from 'vitest'
import { headers as wire, wireVersion } from '#shared/contract/request.ts'
import { setTestServer, type TestServer } from '../testing/test-server.ts'
import { oldestWireVersion } from './wire-version.ts'

const server = await setTestServer()
const newer = await setTestServer({ db: server.db, oldestWireVersion: 3 })

it('the header of our server stands on answers to calls alone', async () => {
  const headerOf = async (url: string) => (await server.client().request('GET', url)).headers.get(wire.serverVersion)
  expect([await headerOf('/api/events'), await headerOf('/healthz')]).toEqual([String(wireVersion), null])
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
