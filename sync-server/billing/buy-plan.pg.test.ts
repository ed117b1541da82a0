import { beforeEach, describe, expect, it } from 'vitest'
import type { PromoCodeRow } from '../db/rows/billing-rows.ts'
import { accountDocument } from '../testing/account-rows.ts'
import { addPromoCode, MULTI, SINGLE, UNLIMITED, yearMs } from '../testing/billing-rows.ts'
import { setOrganizerStage } from '../testing/organizer-stage.ts'
import { createRouteRig, eventBody, type Person, type RouteRig } from '../testing/route-rig.ts'
import { accountChange } from './account-document.ts'

/** Where nobody is charged. */
const demo = await setOrganizerStage()
/** The same, where cards are charged. */
let live: RouteRig
let olivia: Person

beforeEach(async () => {
  live = createRouteRig(demo.db, { billing: 'stripe' })
  await demo.db('promo_codes').del()
  olivia = demo.olivia
})

const addPromo = (code: string, columns?: Partial<PromoCodeRow>) => addPromoCode(demo.db, code, columns)
const usesOf = async (code: string) => (await demo.db('promo_codes').where({ code }).first())?.currentUses
const paymentsOf = async (person: Person) =>
  await demo
    .db('payments')
    .where({ userId: person.userId })
    .orderBy('id')
    .select('planId', 'provider', 'status', 'amountCents', 'promoCode')
const subscribe = async (rig: RouteRig, planId: number, promoCode?: string) =>
  await rig.run('createSubscription', { as: olivia, body: { planId, ...(promoCode ? { promoCode } : {}) } })

describe('a plan in demo mode', () => {
  it('is active at once, is written down, and reaches every device', async () => {
    const answer = await subscribe(demo, MULTI)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      subscription: { planId: MULTI, status: 'active', eventsUsed: 0, promoCode: null },
      plan: { name: 'Multi Event', price: 4900, eventLimit: 3 },
      canCreateEvent: { canCreate: true, reason: null },
    })
    const ends = Date.parse(answer.body.subscription?.endDate ?? '')
    expect(ends - demo.clock.now.getTime()).toBe(yearMs)
    expect(await paymentsOf(olivia)).toEqual([
      { planId: MULTI, provider: 'demo', status: 'paid', amountCents: 4900, promoCode: null },
    ])
    expect(await accountDocument(demo.db, olivia.userId)).toMatchObject({
      user: { subscriptionTier: 'multi' },
      plan: { id: MULTI },
      canCreateEvent: { canCreate: true },
    })
    expect((await demo.run('getUser', { as: olivia })).body.subscriptionTier).toBe('multi')
    expect((await demo.run('createEvent', { as: olivia, body: eventBody() })).status).toBe(201)
  })

  it('that does not exist is refused', async () => {
    for (const name of ['createSubscription', 'createPaymentIntent'] as const) {
      const answer = await demo.run(name, { as: olivia, body: { planId: 99 } })
      expect([answer.status, answer.body.message]).toEqual([404, 'Invalid Plan'])
    }
  })

  it('stands beside the one there is, and the older is used first', async () => {
    await subscribe(demo, SINGLE)
    const second = await subscribe(demo, MULTI)
    expect(second.body.subscription?.planId).toBe(SINGLE)
    await demo.run('createEvent', { as: olivia, body: eventBody() })
    const status = await demo.run('getSubscription', { as: olivia })
    expect(status.body).toMatchObject({ subscription: { planId: MULTI, eventsUsed: 0 } })
    expect(status.body.canCreateEvent.canCreate).toBe(true)
  })

  it('without a limit is extended by a second one, so that nothing of the first is lost', async () => {
    const first = await subscribe(demo, UNLIMITED)
    const [second, third] = await Promise.all([subscribe(demo, UNLIMITED), subscribe(demo, UNLIMITED)])
    const ends = Math.max(...[second, third].map(({ body }) => Date.parse(body.subscription?.endDate ?? '')))
    expect(ends - Date.parse(first.body.subscription?.endDate ?? '')).toBe(2 * yearMs)
    expect(await demo.db('user_subscriptions').where({ userId: olivia.userId })).toHaveLength(1)
    expect(await paymentsOf(olivia)).toHaveLength(3)
  })

  it('without a limit that has ended begins anew', async () => {
    await demo.addSubscription(olivia, UNLIMITED, { endDate: new Date(demo.clock.now.getTime() - 1) })
    const answer = await subscribe(demo, UNLIMITED)
    expect(Date.parse(answer.body.subscription?.endDate ?? '') - demo.clock.now.getTime()).toBe(yearMs)
  })
})

it('a transaction’s account document includes what another one of its user just committed', async () => {
  const { db } = demo
  const first = await demo.addSubscription(olivia, SINGLE)
  const second = await demo.addSubscription(olivia, MULTI)
  const [one, other, now] = [await db.transaction(), await db.transaction(), new Date()]
  await one('user_subscriptions').where({ id: first }).increment('eventsUsed', 1)
  await accountChange(one, olivia.userId, now)
  await other('user_subscriptions').where({ id: second }).increment('eventsUsed', 1)
  const waiting = accountChange(other, olivia.userId, now)
  // Time enough for the second to have read too early, were it not waiting for the first.
  await db.raw('select pg_sleep(0.1)')
  await one.commit()
  const { document } = await waiting
  await other.commit()
  expect(document).toMatchObject({ subscription: { id: second, eventsUsed: 1 } })
})

describe('a promo code', () => {
  it.each<[string, Partial<PromoCodeRow>, object]>([
    ['GOOD', {}, { valid: true, discount: 20, message: 'For friends' }],
    ['LATE', { validUntil: new Date(1) }, { valid: false, discount: 0, message: 'This promo code has expired.' }],
  ])('%s is told as it is, in any case, and is not used up by asking', async (code, columns, answer) => {
    await addPromo(code, columns)
    const asked = await demo.run('validatePromoCode', { as: olivia, body: { code: ` ${code.toLowerCase()} ` } })
    expect([asked.status, asked.body]).toEqual([200, answer])
    expect(await usesOf(code)).toBe(0)
    const bought = await subscribe(demo, SINGLE, code)
    expect(bought.status).toBe('discount' in answer && answer.discount ? 200 : 409)
    if (bought.status === 409) {
      const { message } = answer as { message: string }
      expect([bought.body.message, bought.body.fields]).toEqual([message, { promoCode: message }])
      expect(await usesOf(code)).toBe(0)
    }
  })

  it.each([
    [20, 1600],
    [100, 0],
  ])('of %i percent makes 2000 cents %i; what is too small for a card is free', async (discountValue, amount) => {
    await addPromo('SOME', { discountValue })
    const intent = await demo.run('createPaymentIntent', { as: olivia, body: { planId: SINGLE, promoCode: 'some' } })
    expect(intent.body).toEqual({ clientSecret: null, freeSubscription: amount === 0, demo: true, amount })
    expect(await usesOf('SOME')).toBe(amount === 0 ? 1 : 0)
    if (amount > 0) await subscribe(demo, SINGLE, 'SOME')
    const provider = amount === 0 ? 'free' : 'demo'
    expect(await paymentsOf(olivia)).toEqual([
      { planId: SINGLE, provider, status: 'paid', amountCents: amount, promoCode: 'SOME' },
    ])
  })
})

describe('where cards are charged', () => {
  it('a plan is not given away, and the promo code is not used up', async () => {
    await addPromo('HALF', { discountValue: 50, maxUses: 1 })
    for (const code of [undefined, 'HALF']) {
      const answer = await subscribe(live, SINGLE, code)
      expect([answer.status, answer.body.message]).toEqual([402, 'Payment is required for this plan.'])
    }
    expect(await usesOf('HALF')).toBe(0)
    expect(await paymentsOf(olivia)).toEqual([])
    expect((await live.run('getSubscription', { as: olivia })).body.subscription).toBeNull()
  })

  it('a payment that cannot be begun says so', async () => {
    const intent = await live.run('createPaymentIntent', { as: olivia, body: { planId: SINGLE } })
    expect([intent.status, intent.body.message]).toEqual([503, 'Could not initialize payment. Please try again.'])
  })
})

it('the billing mode is the server’s, and names the public key only where cards are charged', async () => {
  expect((await demo.run('getBillingMode')).body).toEqual({ mode: 'demo', publishableKey: null })
  const keyed = createRouteRig(demo.db, { billing: 'stripe', stripePublishableKey: 'pk_test_1' })
  expect((await keyed.run('getBillingMode')).body).toEqual({ mode: 'live', publishableKey: 'pk_test_1' })
})

describe('the billing history', () => {
  it('shows two examples in demo mode, marked, until there is something real', async () => {
    const before = await demo.run('getBillingHistory', { as: olivia })
    expect(before.body.sample).toBe(true)
    expect(before.body.entries.map(({ amount, promoCode, status }) => [amount, promoCode, status])).toEqual([
      [2000, null, 'paid'],
      [0, 'BEACON100', 'paid'],
    ])
    await subscribe(demo, SINGLE)
    demo.clock.now = new Date(demo.clock.now.getTime() + 1000)
    await subscribe(demo, MULTI)
    const after = await demo.run('getBillingHistory', { as: olivia })
    expect(after.body.sample).toBe(false)
    expect(after.body.entries.map(({ planName, amount, status }) => [planName, amount, status])).toEqual([
      ['Multi Event', 4900, 'paid'],
      ['Single Event', 2000, 'paid'],
    ])
  })

  it('never shows examples where cards are charged, nor what somebody else paid', async () => {
    await subscribe(demo, SINGLE)
    const { otto } = demo
    expect((await live.run('getBillingHistory', { as: otto })).body).toEqual({ sample: false, entries: [] })
  })
})
