import { request as httpRequest } from 'node:http'
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { eventBody } from '../testing/route-rig.ts'
import { setTestServer } from '../testing/test-server.ts'
import { ProblemError } from '../calls/problems.ts'

const origin = 'https://beaconry.example'
const canary = { email: 'canary@example.com', phone: '+1 555 0100', token: 'canary-token', question: 'canary-question' }

const server = await setTestServer({
  config: { publicOrigin: origin },
  handlers: {
    logout: async () => undefined,
    listPlans: async () => [
      { id: 1, name: 'Single', description: 'x'.repeat(2000), price: 1, eventLimit: 1, durationDays: 1 },
    ],
    getEvent: async () => ({ id: 1, promoCode: 'secret' }) as never,
    applyAsBeacon: async ({ db, body }) => {
      // Breaks on a rule of the table: PostgreSQL quotes the row in its error.
      if (body.firstName === 'Broken') {
        await db('users').insert({ username: body.email, email: body.email, passwordHash: '' })
        await db('users').insert({ username: body.email, email: body.email, passwordHash: '' })
      }
      throw new ProblemError('duplicate_application', 'We already have your application')
    },
  },
})
const client = server.client()

describe('where a change comes from', () => {
  const logout = (headers: Record<string, string | null>) => client.request('POST', '/api/logout', { headers })

  it.each([
    [{ 'sec-fetch-site': 'same-origin' }, 204],
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, 204],
    [{ 'sec-fetch-site': null, origin }, 204],
    [{ 'sec-fetch-site': null }, 204],
    [{ 'sec-fetch-site': null, origin: '' }, 403],
    [{ 'sec-fetch-site': '' }, 403],
    [{ 'sec-fetch-site': null, origin: `${origin}.evil.example` }, 403],
    [{ 'sec-fetch-site': 'same-site', origin: 'https://other.beaconry.example' }, 403],
    [{ 'sec-fetch-site': 'none' }, 204],
    [{ 'sec-fetch-site': 'none', origin }, 204],
    [{ 'sec-fetch-site': null, origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'none', origin: 'https://evil.example' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'cross-site', origin }, 403],
    // As Node reads what is said twice.
    [{ 'sec-fetch-site': 'same-origin, cross-site' }, 403],
    [{ 'sec-fetch-site': null, origin: `${origin}, https://evil.example` }, 403],
    [{ 'sec-fetch-site': 'Same-Origin', origin: 'https://evil.example' }, 403],
  ])('%j answers %i', async (headers, status) => {
    const answer = await logout(headers)
    expect(answer.status).toBe(status)
    if (status === 403) expect(answer.body.code).toBe('cross_site')
  })

  it('does not matter for reading, and no other origin is invited', async () => {
    const answer = await client.request('GET', '/api/subscription-plans', {
      headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    })
    expect(answer.status).toBe(200)
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})

describe('a body', () => {
  const login = (body: string, headers: Record<string, string | null> = {}) =>
    client.request('POST', '/api/login', { body, headers })
  const outcome = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]

  it.each([
    ['a=1', 'application/x-www-form-urlencoded', [415, 'unsupported_media_type']],
    ['{}', 'text/plain', [415, 'unsupported_media_type']],
    ['{"a":', 'application/json', [400, 'invalid_input']],
    ['', 'application/json', [400, 'invalid_input']],
    ['{}', 'application/json; charset=utf-8', [400, 'invalid_input']],
  ])('must be JSON by type and by content: %s of %s', async (body, type, refused) => {
    expect(outcome(await login(body, { 'content-type': type }))).toEqual(refused)
  })

  it('is at most 64 kB, also when its length is not announced', async () => {
    expect(outcome(await login(JSON.stringify({ email: 'x'.repeat(66_000) })))).toEqual([413, 'too_large'])
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest(`${server.origin}/api/login`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          'transfer-encoding': 'chunked',
        },
      })
      request.on('response', (response) => {
        resolve(response.statusCode)
        request.destroy()
      })
      request.on('error', reject)
      request.write('"'.padEnd(70_000, 'x'))
    })
    expect(status).toBe(413)
  })

  it('names each wrong field once, in the words of the contract', async () => {
    const { body } = await login(JSON.stringify({ email: 'nobody', password: 'x', isAdmin: true }))
    expect(body.fields).toEqual({
      email: 'Please enter a valid email address',
      password: 'Password must be at least 6 characters',
      isAdmin: expect.any(String),
    })
    expect(body.message).toBe('Please enter a valid email address')
  })
})

describe('an address', () => {
  it('outside the table is answered as a problem with the number of the request', async () => {
    const missing = await client.request('GET', '/api/nothing')
    expect([missing.status, missing.body.code, missing.body.requestId]).toEqual([
      404,
      'not_found',
      missing.headers.get('x-request-id'),
    ])
    expect(missing.headers.get('cache-control')).toBe('no-store')
    const wrong = await client.request('DELETE', '/api/events')
    expect([wrong.status, wrong.body.code]).toEqual([405, 'method_not_allowed'])
    expect(wrong.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST'])
  })

  it('of the list of events is answered 304 to whoever has it, until it changes', async () => {
    const list = async (etag: string | null) =>
      await client.request('GET', '/api/events', { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } })
    const first = await list(null)
    const etag = first.headers.get('etag')
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-cache'])
    const again = await list(etag)
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
    const olivia = await server.addOrganizer('Publisher')
    await olivia.ok('createEvent', { body: eventBody() })
    expect((await list(etag)).status).toBe(200)
  })

  it('with a query parameter given twice is refused', async () => {
    expect((await client.request('GET', '/api/events?state=Ohio&state=Utah')).status).toBe(400)
    expect((await client.request('GET', '/api/events?nothing=1')).status).toBe(400)
  })
})

it('a number in a path is that number and nothing beside it, for its owner too', async () => {
  const olivia = await server.addMember('Olivia')
  const odd = '%00 1%00 %001 %201 1%20 %2B1 1.0 1e0 0x1 01e0 -1 0 %EF%BC%91 1000000000000 %ff __proto__'.split(' ')
  const lines = async () => await server.db('audit_log').count('* as lines').first()
  const before = await lines()
  for (const text of [...odd, '9'.repeat(400), '[object Object]']) {
    const answer = await olivia.request('DELETE', `/api/sessions/${text}`)
    expect([text, answer.status, answer.body.code]).toEqual([text, 400, 'invalid_input'])
  }
  expect(await lines()).toEqual(before)
})

describe('what no text holds', () => {
  it('is no unknown parameter that goes unnoticed', async () => {
    expect((await client.request('GET', '/api/events?__proto__=1')).status).toBe(400)
  })

  it('is not kept of a device either', async () => {
    const olivia = server.client()
    const name = encodeURIComponent(`${'x'.repeat(79)}😀`)
    const body = JSON.stringify({ username: 'Halved', email: 'halved@example.com', password: 'long enough' })
    const signedUp = await olivia.request('POST', '/api/register', { body, headers: { 'X-Device-Name': name } })
    expect(signedUp.status, signedUp.text).toBe(201)
    const sessions = await olivia.call('listSessions')
    expect(sessions.body[0].deviceName).toBe('x'.repeat(79))
  })
})

describe('an answer', () => {
  it('carries the security headers', async () => {
    const { headers } = await client.request('GET', '/api/subscription-plans')
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': 'same-origin',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'cache-control': 'no-cache',
    })
    expect(headers.get('referrer-policy')).not.toBeNull()
    expect(headers.get('permissions-policy')).toContain('camera=(self)')
  })

  it('that the table does not promise stays inside; a failure names its request everywhere', async () => {
    const logged = (requestId: string | null) =>
      server.log
        .map((line) => JSON.parse(line) as { requestId?: string; msg: string; level: number; status?: number })
        .filter((line) => line.requestId === requestId)
    const failed = await client.request('GET', '/api/events/1')
    const requestId = failed.headers.get('x-request-id')
    expect([failed.status, failed.body.requestId]).toEqual([500, requestId])
    expect(failed.text).not.toContain('secret')
    expect(server.log.join('')).toContain('not what the table promises')
    expect(failed.body.advice).toContain(`this number: ${requestId?.slice(0, 8)}`)
    expect(logged(requestId)).toMatchObject([{ msg: 'a call failed' }, { msg: 'call', status: 500 }])

    await server.db.raw('alter table sync_log rename to laid_aside')
    const page = await client.request('GET', '/events/1.ics')
    await server.db.raw('alter table laid_aside rename to sync_log')
    const named = page.headers.get('x-request-id')
    expect(page.status).toBe(500)
    expect(page.text).toContain(`this number: ${named?.slice(0, 8)}`)
    expect(logged(named)).toMatchObject([{ msg: 'a request failed' }])
  })

  it('of a keyed call always repeats its key, refused for whatever reason', async () => {
    const key = randomUUID()
    const headers = { 'idempotency-key': key }
    const refused = [
      await client.request('POST', '/api/events', {
        body: '{}',
        headers: { ...headers, 'content-type': 'text/plain' },
      }),
      await client.request('POST', '/api/events', { body: '{', headers }),
      await client.request('POST', '/api/events', { body: '{}', headers }),
      await client.request('POST', '/api/events/1/beacons', { body: '{}', headers }),
    ]
    expect(refused.map(({ status, headers }) => [status, headers.get('x-ack')])).toEqual([
      [415, key],
      [400, key],
      [401, key],
      [400, key],
    ])
  })
})

it('the log holds nothing a person has written, even when the database quotes it', async () => {
  const body = JSON.stringify({
    firstName: 'Broken',
    lastName: canary.token,
    email: canary.email,
    phone: canary.phone,
    bio: canary.question,
  })
  const broken = await client.request('POST', '/api/events/1/beacons', {
    body,
    headers: { 'idempotency-key': randomUUID() },
  })
  expect(broken.status).toBe(500)
  await client.request('GET', `/api/events?state=${encodeURIComponent(canary.question)}`)
  await client.request('GET', `/api/${canary.token}`)
  const log = server.log.join('')
  expect(log).toContain('23505')
  for (const value of [...Object.values(canary), client.deviceId, '127.0.0.1']) expect(log).not.toContain(value)
  expect(broken.text).not.toContain(canary.email)
})
