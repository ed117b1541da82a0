import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { endpoint } from '#shared/contract/endpoints.ts'
import type { RouteSpec } from '#shared/contract/route.ts'
import { routes, type RouteName } from '#shared/api/routes.ts'
import { sized } from '../testing/proof-size.ts'
import { setTestServer, type TestClient } from '../testing/test-server.ts'

const specOf = (name: RouteName): RouteSpec => routes[name]
const allWithBody = (Object.keys(routes) as RouteName[]).filter((name) => specOf(name).body !== undefined)
/** Of the sample, two take texts from strangers and two have lists. */
const withBody = sized(allWithBody, ['login', 'applyAsBeacon', 'createEvent', 'replayMutations'] as RouteName[])
const queueable = sized(allWithBody, ['applyAsBeacon'] as RouteName[]).filter((name) => specOf(name).queueable)
const kB = 1024
/** What a plain call may send. */
const limit = 64 * kB

const server = await setTestServer()
const admin = await server.addMember('Ada', { isAdmin: true })
beforeEach(() => server.db('rate_limits').delete())

const many = (count: number, of: (index: number) => string) => Array.from({ length: count }, (_, index) => of(index))
const nested = (open: string, close: string, size: number) => {
  const depth = Math.floor(size / (open.length + close.length))
  return `${open.repeat(depth)}0${close.repeat(depth)}`
}
const fieldsOf = (body: z.ZodType | undefined) =>
  Object.keys(
    (z.toJSONSchema(body!, { io: 'input', unrepresentable: 'any' }) as { properties?: object }).properties ?? {},
  )

/** JSON of about `size` bytes that no schema takes. Every field of the route gets each kind of nonsense. */
function hostile(name: RouteName, size: number): [string, string][] {
  const unknown = (max: number) =>
    `{${many(Math.floor(max / 10), (index) => `"${String(index).padStart(4, 'k')}":0`).join(',')}}`
  const inEach = (value: string): string =>
    `{${fieldsOf(specOf(name).body)
      .map((field) => `"${field}":${value}`)
      .join(',')}}`
  const share = Math.max(10, Math.floor(size / Math.max(1, fieldsOf(specOf(name).body).length)) - 20)
  const text = 'x'.repeat(Math.max(1, share - 2))
  const wide = (element: string) => `[${many(Math.floor(share / (element.length + 1)), () => element).join(',')}]`
  return [
    ['many unknown names', unknown(size)],
    ['as many unknown names as are looked at', `{${many(100, (index) => `"${'k'.repeat(90)}${index}":0`).join(',')}}`],
    ['one name as long as the body', `{"${'k'.repeat(size)}":0}`],
    ['the name of the prototype', `{"__proto__":${unknown(size)},"constructor":{"prototype":{"isAdmin":true}}}`],
    ['lists in lists', nested('[', ']', size)],
    ['objects in objects', nested('{"a":', '}', size)],
    ['lists in lists in each field', inEach(nested('[', ']', share))],
    ['a wide list', `[${many(Math.floor(size / 2), () => '0').join(',')}]`],
    ['a wide list in each field', inEach(wide('0'))],
    ['a wide list of objects in each field', inEach(wide('{"a":0}'))],
    ['a few objects in each field', inEach(`[${many(50, () => '{}').join(',')}]`)],
    ['unknown names in each field', inEach(unknown(share))],
    ['a long text in each field', inEach(`"${text}"`)],
    ['a long text of blanks in each field', inEach(`"${' '.repeat(text.length)}"`)],
    ['a long text of half characters in each field', inEach(`"${'\\ud800'.repeat(text.length / 6)}"`)],
    ['a number without an end in each field', inEach('1e999')],
    ['a huge number in each field', inEach('-1e308')],
    ['nothing in each field', inEach('null')],
    ['one name again and again', `{${many(Math.floor(size / 6), () => `"a":0`).join(',')}}`],
  ]
}

async function send(client: TestClient, name: RouteName, body: string) {
  const { method, path } = endpoint(name)
  const before = process.cpuUsage()
  const answer = await client.request(method, path.replace(/\{\w+\}/g, '1'), { body })
  const { user, system } = process.cpuUsage(before)
  return { status: answer.status, text: answer.text, processorMs: (user + system) / 1000 }
}

describe('a body of nonsense', () => {
  it.each(withBody)('sent to %s costs little more than its size', async (name) => {
    for (const client of [server.client(), admin]) {
      for (const size of [200, limit - 2 * kB]) {
        for (const [what, body] of hostile(name, size)) {
          const { status, text, processorMs } = await send(client, name, body)
          const about = `${what}, ${body.length} bytes`
          expect([about, status >= 200 && status < 500], text.slice(0, 300)).toEqual([about, true])
          // An answer may say which fields are wrong, not repeat what was sent.
          expect(text.length, about).toBeLessThanOrEqual(4 * body.length + 4 * kB)
          // It cost 9 s once.
          expect(processorMs, about).toBeLessThan(3000)
        }
      }
    }
  })

  it.each(queueable)('in each entry of a batch for %s costs little more than its size', async (name) => {
    const kinds = new Set([
      'as many unknown names as are looked at',
      'objects in objects',
      'a few objects in each field',
      'nothing in each field',
    ])
    for (const [what, body] of hostile(name, kB).filter(([kind]) => kinds.has(kind))) {
      const entries = many(
        500,
        (index) =>
          `{"key":"${randomUUID()}","route":"${name}","lane":"${index}","params":{"eventId":1},"body":${body}}`,
      )
      const sent = `{"account":null,"entries":[${entries.join(',')}]}`
      const answer = await send(server.client(), 'replayMutations', sent)
      expect([what, answer.status >= 200 && answer.status < 500], answer.text.slice(0, 300)).toEqual([what, true])
      expect(answer.text.length, what).toBeLessThanOrEqual(4 * sent.length + 4 * kB)
    }
  })

  it('names a few of the fields that nobody knows, and each wrong one that is known', async () => {
    const unknown = Object.fromEntries(many(90, (index) => `unknown${index}`).map((name) => [name, 0]))
    const answer = await server
      .client()
      .request('POST', '/api/login', { body: JSON.stringify({ email: 'x', ...unknown }) })
    const { fields } = answer.body as { fields: Record<string, string> }
    expect(Object.keys(fields).filter((name) => name.startsWith('unknown'))).toHaveLength(8)
    expect(fields).toMatchObject({ email: 'Please enter a valid email address', password: expect.any(String) })
    expect(answer.text).not.toContain('unknown89')
  })
})

const deep = JSON.parse(nested('[', ']', 3 * kB)) as unknown
it.each([
  ['params as deep as can be', { params: { beaconId: deep } }],
  ['params of many names', { params: Object.fromEntries(many(5000, (index) => `p${index}`).map((name) => [name, 1])) }],
  ['a body as deep as can be', { params: { beaconId: 1 }, body: deep }],
])('an entry of a batch that cannot be read keeps no other change back: %s', async (_, damaged) => {
  const entries = [
    { key: randomUUID(), route: 'decideApplication', lane: 'a', ...damaged },
    { key: randomUUID(), route: 'withdrawApplication', lane: 'b', body: { token: 'not one of ours' } },
  ]
  const body = JSON.stringify({ account: null, entries })
  const visitor = await server.client().request('POST', '/api/sync/mutations', { body })
  expect(visitor.status, visitor.text).toBe(200)
  const signedIn = await admin.request('POST', '/api/sync/mutations', {
    body: JSON.stringify({
      account: admin.userId,
      entries: entries.map((entry) => ({ ...entry, key: randomUUID() })),
    }),
  })
  expect(signedIn.body.map(({ status }: { status: number }) => status)).toEqual([400, 404])
})
