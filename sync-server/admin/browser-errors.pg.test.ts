import { beforeEach, describe, expect, it } from 'vitest'
import type { BrowserError, ReportedError } from '#shared/admin/browser-error-calls.ts'
import { setTestServer } from '../testing/test-server.ts'
import { purgeExpired } from '../sync/purge.ts'

const start = Date.parse('2026-11-25T12:00:00Z')
const minutesLater = (minutes: number) => new Date(start + minutes * 60_000)
let now = minutesLater(0)

const server = await setTestServer({ config: { proxies: 1 }, now: () => now })
const ada = await server.addMember('Ada', { isAdmin: true })
beforeEach(async () => {
  now = minutesLater(0)
  await server.db('rate_limits').del()
  await server.db('browser_errors').del()
})

const error = (changes: Partial<ReportedError> = {}): ReportedError => ({
  name: 'TypeError',
  version: '1.0.0',
  screen: '/events/:id',
  frames: ['index-abc.js:1:20', 'kit-def.js:3:7'],
  times: 1,
  ...changes,
})
const report = async (errors: readonly object[], address = '198.51.100.1') =>
  await server.call('reportErrors', { body: { errors }, headers: { 'x-forwarded-for': address } })
const listed = async () => (await ada.call('listBrowserErrors')).body as BrowserError[]

describe('errors of pages', () => {
  it('are counted by kind, version and place in the code, and leave nothing else behind', async () => {
    const linesBefore = await server.db('audit_log').count()
    expect((await report([error({ times: 3 }), error({ version: '1.1.0' })])).status).toBe(204)
    now = minutesLater(5)
    await report([error({ screen: '/dashboard' }), error({ name: 'RangeError' }), error({ frames: ['a.js:1:2'] })])
    await report([error(), error()], '198.51.100.2')
    const [first, last] = [minutesLater(0).toISOString(), minutesLater(5).toISOString()]
    const found = await listed()
    expect(found).toHaveLength(4)
    expect(found).toEqual(
      expect.arrayContaining([
        { ...error({ times: 6 }), id: expect.any(String), firstAt: first, lastAt: last },
        { ...error({ version: '1.1.0' }), id: expect.any(String), firstAt: first, lastAt: first },
        { ...error({ name: 'RangeError' }), id: expect.any(String), firstAt: last, lastAt: last },
        { ...error({ frames: ['a.js:1:2'] }), id: expect.any(String), firstAt: last, lastAt: last },
      ]),
    )
    expect(found.at(-1)).toMatchObject({ version: '1.1.0' })
    expect(await server.db('audit_log').count()).toEqual(linesBefore)
  })

  it.each<[string, object]>([
    ['a message', { message: 'Bea Moss is not a function' }],
    ['words in place of a name', { name: 'Bea Moss' }],
    ['an address with an id', { screen: '/events/12' }],
    ['an address with a query', { screen: '/events?state=Illinois' }],
    ['a file with a query', { frames: ['index-abc.js?token=a:1:2'] }],
    ['a whole address of a file', { frames: ['https://venue.test/index-abc.js:1:2'] }],
    ['no frames', { frames: [] }],
    ['more frames than eight', { frames: Array.from({ length: 9 }, () => 'a.js:1:2') }],
    ['more times than a page counts', { times: 1001 }],
  ])('that come with %s are refused', async (_, changes) => {
    expect((await report([{ ...error(), ...changes }])).status).toBe(400)
    expect(await server.db('browser_errors')).toEqual([])
  })

  it('are no more than twenty at once, each a kilobyte at most', async () => {
    const large = error({
      name: 'E'.repeat(60),
      version: `1.${'0'.repeat(28)}`,
      screen: '/abcdefghijklmnopqrstuvwxyz-abc'.repeat(5),
      frames: Array.from({ length: 8 }, () => `${'f'.repeat(80)}:1234567:1234567`),
    })
    const { times: _, ...kept } = large
    expect(Object.values(kept).flat().join('').length).toBeLessThan(1024)
    expect((await report(Array.from({ length: 20 }, () => large))).status).toBe(204)
    expect(
      (
        await report(
          Array.from({ length: 21 }, () => error()),
          '198.51.100.2',
        )
      ).status,
    ).toBe(400)
  })

  it('make room for newer ones beyond 500, and go when they were not seen for 30 days', async () => {
    const row = (n: number) => ({
      ...error(),
      frames: 'a.js:1:2',
      hash: String(n),
      firstAt: minutesLater(0),
      lastAt: minutesLater(n),
    })
    await server.db('browser_errors').insert(Array.from({ length: 500 }, (_, n) => row(n)))
    now = minutesLater(1000)
    await report([error()])
    const hashes = (await server.db('browser_errors').select('hash')).map(({ hash }) => hash)
    expect(hashes).toHaveLength(500)
    expect(hashes).not.toContain('0')
    expect(hashes).toContain('1')
    expect(await listed()).toHaveLength(200)
    expect((await listed())[0]).toMatchObject(error())

    expect((await purgeExpired(server.db, minutesLater(1000 + 30 * 24 * 60))).browserErrors).toBe(499)
    expect(await listed()).toMatchObject([error()])
  })

  it('of one address are two dozen in half an hour, however they are sent, and keep no other address waiting', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => error({ frames: [`a.js:1:${n}`] }))
    for (let n = 0; n < 4; n += 1) await report(many(5))
    expect((await report(many(5))).status).toBe(429)
    expect((await report(many(4))).status).toBe(204)
    const refused = await report([error()])
    expect([refused.status, Number(refused.headers.get('retry-after')) <= 1800]).toEqual([429, true])
    expect((await report([error()], '198.51.100.2')).status).toBe(204)
  })
})
