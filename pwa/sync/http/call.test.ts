import { afterEach, describe, expect, it, vi } from 'vitest'
import { wireVersion } from '#shared/contract/request.ts'
import { Broken, call, onRefusal, openStream, readAnswer, Refused, Unreachable } from './call.ts'
import { reachability } from './reachability.ts'

const ours = { 'X-Beaconry': '1', 'Content-Type': 'application/json' }
const answer = (body: string, init: ResponseInit) => new Response(body, init)
const read = async (response: Response) => readAnswer('anything', response, await response.text())
const failureOf = (response: Response) => read(response).catch((error: unknown) => error)
const problem = JSON.stringify({ code: 'not_found', message: 'Event not found', requestId: 'r1' })

afterEach(() => vi.unstubAllGlobals())

describe('an answer', () => {
  it.each([
    ["a portal's page with status 200", answer('<html>Sign in to the wifi</html>', { status: 200 })],
    ["a portal's JSON", answer('{}', { status: 200, headers: { 'Content-Type': 'application/json' } })],
    ["a proxy's JSON under a number of its own", answer('{}', { status: 200, headers: { 'X-Request-Id': 'r1' } })],
    ["a proxy's refusal in our shape", answer(problem, { status: 401, headers: { 'X-Request-Id': 'r1' } })],
    ['a header that is not ours', answer('{}', { status: 200, headers: { 'X-Beaconry': 'HIT' } })],
    ['a broken page from in between', answer('Bad gateway', { status: 502 })],
    ['our answer cut half way', answer('[{"id": 1', { status: 200, headers: ours })],
    ['our empty answer where a body is due', answer('', { status: 200, headers: ours })],
  ])('counts %s as no network', async (_, response) => {
    await expect(read(response)).rejects.toBeInstanceOf(Unreachable)
    expect(reachability.get()).toBe('unreachable')
  })

  it('is its JSON, and shows that the server can be reached', async () => {
    reachability.set('unreachable')
    expect(await read(answer('[1]', { status: 200, headers: ours }))).toEqual([1])
    expect(reachability.get()).toBe('reachable')
  })

  it('without a body is undefined', () => {
    expect(
      readAnswer('anything', { ok: true, status: 204, statusText: '', headers: new Headers(ours) }, ''),
    ).toBeUndefined()
  })

  it("carries the server's reason when refused", async () => {
    const refused = await failureOf(answer(problem, { status: 404, headers: { ...ours, 'Retry-After': '7' } }))
    expect(refused).toBeInstanceOf(Refused)
    expect(refused).toMatchObject({
      status: 404,
      message: 'Event not found',
      retryAfterSeconds: 7,
      problem: { code: 'not_found' },
    })
  })

  it('is told with the advice of the server, wherever its words are shown', async () => {
    const body = { code: 'internal', message: 'Something went wrong.', requestId: 'r1', advice: 'Tell them: r1' }
    const failed = await failureOf(answer(JSON.stringify(body), { status: 500, headers: ours }))
    const message = 'Something went wrong. Tell them: r1'
    expect(failed).toMatchObject({ message, problem: { message, requestId: 'r1' } })
  })

  it.each([
    ['the message of other JSON', '{"message":"Down for a minute"}', 'Down for a minute'],
    ['plain text', 'Too busy', 'Too busy'],
    ['the status text when there is no body', '', 'Service Unavailable'],
  ])('that failed says %s', async (_, body, text) => {
    const failed = await failureOf(answer(body, { status: 503, statusText: 'Service Unavailable', headers: ours }))
    expect(failed).toBeInstanceOf(Broken)
    expect(failed).toMatchObject({ status: 503, message: text })
  })
})

describe('a call', () => {
  it('gives every change a key, and the same one when it was given', async () => {
    const sent: Request[] = []
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      sent.push(new Request(new URL(url, 'http://localhost'), { ...init, signal: null }))
      return answer(url === '/api/events' ? '[]' : '{"valid":true}', { status: 200, headers: ours })
    })
    await call('validatePromoCode', { body: { code: 'PIER' } })
    await call('validatePromoCode', { body: { code: 'PIER' }, key: 'again' })
    await call('listEvents', { query: {} })
    expect(sent[0]!.headers.get('Idempotency-Key')).toMatch(/^[0-9a-f-]{36}$/)
    expect(sent[1]!.headers.get('Idempotency-Key')).toBe('again')
    expect(sent[2]!.headers.get('Idempotency-Key')).toBeNull()
    expect(await sent[0]!.json()).toEqual({ code: 'PIER' })
  })

  it('says which version of the app makes it', async () => {
    const sent: Headers[] = []
    vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
      sent.push(new Headers(init.headers))
      return answer('[]', { status: 200, headers: ours })
    })
    await call('listEvents', { query: {} })
    await openStream(new AbortController().signal).catch(() => undefined)
    expect(sent.map((headers) => headers.get('X-App-Version'))).toEqual([String(wireVersion), String(wireVersion)])
  })

  it('that opens a stream takes none that something on the way began, however long it lasts', async () => {
    let isCancelled = false
    const endless = new ReadableStream({ cancel: () => void (isCancelled = true) })
    const type = { 'Content-Type': 'text/event-stream', 'X-Request-Id': 'r1' }
    vi.stubGlobal('fetch', async () => new Response(endless, { headers: type }))
    await expect(openStream(new AbortController().signal)).rejects.toBeInstanceOf(Unreachable)
    expect(isCancelled).toBe(true)
  })

  it('rejects as unreachable without a network, and tells followers of refusals alone', async () => {
    const told: string[] = []
    const stop = onRefusal((name, refused) => told.push(`${name} ${refused.problem.code}`))
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(call('getEvent', { params: { id: 1 } })).rejects.toBeInstanceOf(Unreachable)
    vi.stubGlobal('fetch', async () => answer(problem, { status: 404, headers: ours }))
    await expect(call('getEvent', { params: { id: 1 } })).rejects.toBeInstanceOf(Refused)
    stop()
    expect(told).toEqual(['getEvent not_found'])
  })
})
