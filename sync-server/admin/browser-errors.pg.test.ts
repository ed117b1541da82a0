import { beforeEach, describe, expect, it } from 'vitest'
import type { ReportedError } from '#shared/admin/browser-error-calls.ts'
import { setTestServer } from '../testing/test-server.ts'
import { browserErrors } from '../http/operation.ts'

const server = await setTestServer({ config: { proxies: 1 } })
const failures = () =>
  server.log
    .map((line) => JSON.parse(line) as { readonly msg: string })
    .filter(({ msg }) => msg === 'a page failed in a browser')
beforeEach(async () => {
  await server.db('rate_limits').del()
})
const counted = async () => (await browserErrors.get()).values[0]?.value ?? 0

const error = (changes: Partial<ReportedError> = {}): ReportedError => ({
  name: 'TypeError',
  version: '1.0.0',
  screen: '/events/:id',
  frames: ['index-abc.js:1:20', 'kit-def.js:3:7'],
  times: 1,
  ...changes,
})
const many = (count: number) => Array.from({ length: count }, (_, n) => error({ frames: [`a.js:1:${n}`] }))
const report = async (errors: readonly object[], address = '198.51.100.1') =>
  await server.call('reportErrors', { body: { errors }, headers: { 'x-forwarded-for': address } })

describe('errors of pages', () => {
  it('are a line of the log each, and are counted, and leave nothing in the database', async () => {
    const before = [await counted(), await server.db('audit_log').count()]
    expect((await report([error({ times: 3 }), error({ name: 'RangeError' })])).status).toBe(204)
    const { times: _, ...logged } = error()
    expect(failures()).toMatchObject([
      { route: 'reportErrors', error: logged, times: 3 },
      { route: 'reportErrors', error: { ...logged, name: 'RangeError' }, times: 1 },
    ])
    expect([await counted(), await server.db('audit_log').count()]).toEqual([(before[0] as number) + 4, before[1]])
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
    const before = failures().length
    expect((await report([{ ...error(), ...changes }])).status).toBe(400)
    expect(failures()).toHaveLength(before)
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
    expect((await report(many(21), '198.51.100.2')).status).toBe(400)
  })

  it('of one address are two dozen in half an hour, and keep no other address waiting', async () => {
    for (let n = 0; n < 4; n += 1) await report(many(5))
    expect((await report(many(4))).status).toBe(204)
    const refused = await report([error()])
    expect([refused.status, Number(refused.headers.get('retry-after')) <= 1800]).toEqual([429, true])
    expect((await report([error()], '198.51.100.2')).status).toBe(204)
  })
})
