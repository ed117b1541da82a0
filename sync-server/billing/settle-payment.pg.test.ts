import { describe, expect, it } from 'vitest'
import { accountDocument } from '../testing/account-rows.ts'
import { SINGLE, UNLIMITED, yearMs } from '../testing/billing-rows.ts'
import type { Member } from '../testing/test-server.ts'
import { setPaymentStage } from '../testing/stripe-service/payment-stage.ts'

const stage = await setPaymentStage()
const { stripe, server, db, webhookUrl, clock, olivia, otto } = stage
const { addPromo, usesOf, begin, open, pay, openPaid, look, tell, eventOf, payments, subscriptions } = stage

const succeeded = 'payment_intent.succeeded'
const minuteMs = 60_000
const dayMs = 86_400_000

/** One payment that is paid, one subscription from it, and the account document says so. */
async function expectOnePlan(payer: Member, planId: number): Promise<void> {
  const paid = await payments(payer)
  const held = await subscriptions(payer)
  expect(paid).toMatchObject([{ status: 'paid', planId, subscriptionId: held[0]?.id, provider: 'stripe' }])
  expect(held).toMatchObject([{ planId, status: 'active' }])
  expect(await accountDocument(db, payer.userId)).toMatchObject({
    plan: { id: planId },
    canCreateEvent: { canCreate: true },
  })
  const audited = await db('audit_log').where({ userId: payer.userId, route: 'settlePayment' })
  expect(audited).toMatchObject([{ subject: String(paid[0]?.id), status: 200 }])
}

describe('one payment, one subscription', () => {
  it('when the event comes before the page looks, twice, and ten times at once', async () => {
    const secret = await openPaid(olivia, SINGLE)
    expect(await tell(succeeded, secret)).toBe(200)
    expect((await look(olivia)).body).toMatchObject({ subscription: { planId: SINGLE, eventsUsed: 0 } })
    await tell(succeeded, secret)
    const statuses = await Promise.all(Array.from({ length: 10 }, () => tell(succeeded, secret)))
    expect(new Set(statuses)).toEqual(new Set([200]))
    await expectOnePlan(olivia, SINGLE)
    const stored = await db('stripe_events').where({ id: eventOf(succeeded, secret).id })
    expect(stored).toMatchObject([{ type: succeeded, outcome: 'paid', paymentId: (await payments(olivia))[0]?.id }])
  })

  it('when events, looks and reloads all come at the same moment', async () => {
    const secret = await openPaid(olivia, SINGLE)
    clock.now = new Date(clock.now.getTime() + 2_000)
    const looks = Promise.all([1, 2, 3].map(() => olivia.call('getSubscription')))
    const told = await Promise.all([succeeded, 'charge.succeeded', succeeded].map((type) => tell(type, secret)))
    expect((await begin(olivia, SINGLE)).body.payment).toBe('paid')
    expect([told, (await looks).map(({ status }) => status)]).toEqual([Array(3).fill(200), Array(3).fill(200)])
    await look(olivia)
    await expectOnePlan(olivia, SINGLE)
  })

  it('when the event comes three days late and nobody looked', async () => {
    const secret = await openPaid(olivia, SINGLE)
    clock.now = new Date(clock.now.getTime() + 3 * dayMs)
    expect(await tell(succeeded, secret)).toBe(200)
    await expectOnePlan(olivia, SINGLE)
    const [subscription] = await subscriptions(olivia)
    expect(subscription?.endDate?.getTime()).toBe(clock.now.getTime() + yearMs)
  })

  it('when the events come in the wrong order', async () => {
    const secret = await open(olivia, SINGLE)
    expect(() => pay(secret, 'declined')).toThrow('declined')
    pay(secret, 'slow')
    stripe.finish(secret, 'succeeded')
    for (const what of ['succeeded', 'processing', 'payment_failed', 'created'])
      expect(await tell(`payment_intent.${what}`, secret)).toBe(200)
    await expectOnePlan(olivia, SINGLE)
  })

  it('when the bank asks the holder of the card first', async () => {
    const secret = await open(olivia, SINGLE)
    pay(secret, 'needs-authentication')
    expect((await look(olivia)).body.subscription).toBeNull()
    expect((await olivia.call('getBillingHistory')).body.entries).toMatchObject([{ status: 'pending' }])
    stripe.finish(secret, 'succeeded')
    await look(olivia)
    await expectOnePlan(olivia, SINGLE)
  })

  it('when the provider tells of an intent whose answer never reached us', async () => {
    stripe.trouble('answer lost', { path: '/payment_intents', times: 3 })
    expect((await begin(olivia, SINGLE)).status).toBe(503)
    stripe.clearTroubles()
    const [intent] = stripe.intents().slice(-1)
    pay(intent?.client_secret ?? '')
    expect(await tell(succeeded, intent?.client_secret)).toBe(200)
    await expectOnePlan(olivia, SINGLE)
    expect(await payments(olivia)).toMatchObject([{ providerReference: intent?.id }])
  })

  it('when it was given up and paid after all: the money was taken', async () => {
    await addPromo('ONCE', { maxUses: 1 })
    const secret = await open(olivia, SINGLE, 'ONCE')
    const [row] = await payments(olivia)
    // As if the provider had changed its mind: it never does.
    await db('payments').where({ id: row!.id }).update({ status: 'failed', promoReserved: false })
    await db('promo_codes').update({ currentUses: 0 })
    await open(otto, SINGLE, 'ONCE')
    pay(secret)
    await tell(succeeded, secret)
    await expectOnePlan(olivia, SINGLE)
    expect(stripe.intentOf(secret).status).toBe('succeeded')
    expect(await usesOf('ONCE')).toBe(1)
  })
})

describe('looking', () => {
  it('asks once a second at most while a payment is open, and never without one', async () => {
    const secret = await open(olivia, SINGLE)
    clock.now = new Date(clock.now.getTime() + 2_000)
    const before = stripe.requests.length
    await Promise.all(Array.from({ length: 12 }, () => olivia.call('getSubscription')))
    expect(stripe.requests.length - before).toBe(1)
    pay(secret)
    await look(olivia)
    const asked = stripe.requests.length
    await look(olivia)
    await look(otto)
    expect(stripe.requests).toHaveLength(asked)
  })

  it('is answered when the provider is away, and settles once it is back', async () => {
    await openPaid(olivia, SINGLE)
    stripe.trouble('unreachable', { path: '/payment_intents', times: 5 })
    const away = await look(olivia)
    expect([away.status, away.body.subscription]).toEqual([200, null])
    stripe.clearTroubles()
    // For a while nobody is kept waiting.
    expect((await look(olivia)).body.subscription).toBeNull()
    clock.now = new Date(clock.now.getTime() + minuteMs)
    await look(olivia)
    await expectOnePlan(olivia, SINGLE)
  })
})

describe('a payment that contradicts what we wrote down', () => {
  const contradictions = [
    ['another amount', 'amount', { amount: 1, amount_received: 1 }],
    ['less money than asked for', 'amount received', { amount_received: 1999 }],
    ['another currency', 'currency', { currency: 'jpy' }],
  ] as const
  it.each(contradictions)('with %s gives nothing, by event or by looking', async (_title, why, changes) => {
    const secret = await openPaid(olivia, SINGLE)
    stripe.tamper(stripe.intentOf(secret).id, changes)
    const event = eventOf(succeeded, secret)
    const told = { ...event, data: { object: stripe.intentOf(secret) } }
    expect(await stripe.deliver(told, { url: webhookUrl, signedAt: clock.now })).toBe(200)
    expect((await look(olivia)).body.subscription).toBeNull()
    expect(await subscriptions(olivia)).toEqual([])
    expect(await payments(olivia)).toMatchObject([{ status: 'pending', providerStatus: 'refused' }])
    expect(await db('stripe_events').where({ id: event.id })).toMatchObject([{ outcome: `refused: ${why}` }])
    expect(server.log.some((line) => line.includes('a payment was refused') && line.includes(why))).toBe(true)
    expect(await open(olivia, SINGLE), 'another payment can be begun').not.toBe(secret)
  })

  it('or names another owner, or another payment, gives nothing', async () => {
    const secret = await open(olivia, SINGLE)
    const ottos = await open(otto, SINGLE)
    const { id, metadata } = stripe.intentOf(secret)
    pay(secret)
    stripe.tamper(id, { metadata: { ...metadata, user: String(otto.userId) } })
    await look(olivia)
    stripe.tamper(id, { metadata: stripe.intentOf(ottos).metadata })
    await look(olivia)
    await look(otto)
    expect([...(await subscriptions(olivia)), ...(await subscriptions(otto))]).toEqual([])
  })

  it('or was never begun here gives nothing, whatever it claims', async () => {
    const secret = await open(olivia, UNLIMITED)
    const { metadata, amount } = stripe.intentOf(secret)
    const claims = [
      stripe.addForeignIntent({ amount: 2000, metadata: {} }),
      stripe.addForeignIntent({ amount: 2000, metadata: { payment: 'nonsense', user: '1' } }),
      stripe.addForeignIntent({ amount: 50, metadata }),
      stripe.addForeignIntent({ amount, metadata }),
    ]
    for (const { client_secret: foreign } of claims) {
      pay(foreign)
      expect(await tell(succeeded, foreign)).toBe(200)
    }
    expect(await subscriptions(olivia)).toEqual([])
    const told = claims.map(({ client_secret: foreign }) => eventOf(succeeded, foreign).id)
    const outcomes = await db('stripe_events').whereIn('id', told).select('outcome')
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual([
      'refused: intent',
      'refused: intent',
      'unknown',
      'unknown',
    ])
  })
})
