import { beforeEach, describe, expect, it } from 'vitest'
import { endpoint } from '#shared/contract/endpoints.ts'
import { headers as wire } from '#shared/contract/request.ts'
import { routes, type RouteName } from '#shared/api/routes.ts'
import { addSubscription } from '../../testing/billing-rows.ts'
import { applicationBody, eventBody } from '../../testing/route-rig.ts'
import { setTestServer, type TestAnswer } from '../../testing/test-server.ts'

/** What says the same to everyone; a cache may keep it as long as it asks again. */
const publicReads: ReadonlySet<RouteName> = new Set<RouteName>([
  'findSession',
  'listEvents',
  'getEvent',
  'listBeacons',
  'listPlans',
  'getBillingMode',
  'getSite',
  'getPushKey',
  'describeApi',
])
const names = Object.keys(routes) as RouteName[]

const server = await setTestServer()
const admin = server.client()
beforeEach(async () => {
  await server.db('rate_limits').delete()
})

const cacheControl = ({ headers }: Pick<TestAnswer, 'headers'>) => headers.get('cache-control')

describe('an answer', () => {
  it('stays in no cache unless it is the same for everyone', async () => {
    const ada = await server.createUser('Ada', { isAdmin: true })
    for (const name of names) {
      await admin.signInAs(ada)
      const { method, path } = endpoint(name)
      const url = path.replace(/\{\w+\}/g, '1')
      const body = method === 'GET' ? {} : { body: '{}' }
      const anonymous = await server.client().request(method, url, body)
      expect([name, cacheControl(anonymous)]).toEqual([name, publicReads.has(name) ? 'no-cache' : 'no-store'])
      if (name === 'openStream') continue
      expect([name, cacheControl(await admin.request(method, url, body))]).toEqual([name, 'no-store'])
    }
  })

  it('that tells a visitor something personal stays in no cache', async () => {
    const owner = server.client()
    const body = { username: 'Olivia', email: 'olivia@example.com', password: 'a long password' }
    const registered = await owner.call('register', { body })
    await addSubscription(server.db, registered.body.id, 3)
    const { id } = (await owner.call('createEvent', { body: eventBody() })).body
    const applied = await server.call('applyAsBeacon', { params: { eventId: id }, body: applicationBody() })
    const { token } = applied.body
    const answers: [string, number, TestAnswer][] = [
      ['signing up', 201, registered],
      ['signing in', 200, await server.call('login', { body: { email: body.email, password: body.password } })],
      ['applying', 201, applied],
      ['the own page', 200, await server.call('getOwnApplication', { headers: { [wire.applicationToken]: token } })],
      ['withdrawing', 200, await server.call('withdrawApplication', { body: { token } })],
      ['a refusal', 401, await server.call('login', { body: { email: body.email, password: 'not this one' } })],
    ]
    expect(answers.map(([what, , answer]) => [what, answer.status, cacheControl(answer)])).toEqual(
      answers.map(([what, status]) => [what, status, 'no-store']),
    )
  })

  it('to a path without a call stays in no cache', async () => {
    expect(cacheControl(await server.client().request('GET', '/api/nothing'))).toBe('no-store')
  })
})
