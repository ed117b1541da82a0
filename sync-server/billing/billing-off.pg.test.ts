import { describe, expect, it } from 'vitest'
import { routes, type RouteName } from '#shared/api/routes.ts'
import type { RouteSpec } from '#shared/contract/route.ts'
import { createRouteRig, eventBody } from '../testing/route-rig.ts'
import { setTestServer } from '../testing/test-server.ts'

const server = await setTestServer({ config: { billing: 'off' } })
const rig = createRouteRig(server.db, { billing: 'off' })
const nora = await rig.addPerson('Nora')
const ada = await rig.addPerson('Ada', { isAdmin: true })

const ofPlans = Object.entries<RouteSpec>(routes).flatMap(([name, { needsPlans }]) =>
  needsPlans ? [name as Exclude<RouteName, 'openStream' | 'replayMutations'>] : [],
)

describe('on a server without plans', () => {
  it('any organizer publishes events and reads advanced analytics', async () => {
    for (const name of ['First', 'Second'])
      expect((await rig.run('createEvent', { as: nora, body: eventBody({ name }) })).status).toBe(201)
    expect((await rig.run('getAnalytics', { as: nora })).body.events).toHaveLength(2)
  })

  it('an event uses up nothing of a plan that was bought before, and gives nothing back', async () => {
    const otto = await rig.addPerson('Otto')
    await rig.addSubscription(otto, 2, { eventsUsed: 1 })
    const { body } = await rig.run('createEvent', { as: otto, body: eventBody() })
    expect((await rig.run('deleteEvent', { as: otto, params: { id: body.id } })).status).toBe(204)
    expect(await server.db('user_subscriptions').where({ userId: otto.userId }).pluck('eventsUsed')).toEqual([1])
  })

  it('the calls of plans, payments and promo codes are known', () => {
    expect(ofPlans.toSorted()).toEqual([
      'createPaymentIntent',
      'createPromoCode',
      'createSubscription',
      'getBillingHistory',
      'getSubscription',
      'listPlans',
      'listPromoCodes',
      'savePlan',
      'stopPromoCode',
      'validatePromoCode',
    ])
  })

  it.each(ofPlans)('%s is not there, for an admin neither', async (name) => {
    for (const as of [null, nora, ada]) {
      const { status, body } = await rig.run(name, { as, params: { id: 1 }, body: { planId: 1, code: 'BEACON100' } })
      expect([status, body]).toMatchObject([404, { code: 'not_found', message: 'There are no plans on this server.' }])
    }
  })

  it('an app that asks is told', async () => {
    expect((await rig.run('getBillingMode')).body).toEqual({ mode: 'off', publishableKey: null })
  })

  it.each([
    '/pricing',
    '/checkout?planId=2',
    '/checkout-status',
    '/subscription',
    '/manage-subscription/',
    '/billing-history',
  ])('%s leads to the dashboard', async (path) => {
    const answer = await fetch(server.origin + path, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/dashboard'])
  })

  it('search engines are told of no prices', async () => {
    const { text } = await server.client().request('GET', '/sitemap.xml')
    expect(text).toContain('/faq<')
    expect(text).not.toContain('/pricing')
  })
})
