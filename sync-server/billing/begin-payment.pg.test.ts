import { describe, expect, it } from 'vitest'
import { openPool } from '../testing/route-rig.ts'
import { MULTI, SINGLE, UNLIMITED } from '../testing/billing-rows.ts'
import { setPaymentStage } from '../testing/stripe-service/payment-stage.ts'

const stage = await setPaymentStage()
const { stripe, server, db, clock, olivia, otto } = stage
const { addPromo, usesOf, begin, open, pay, openPaid, look, tell, payments, subscriptions, runTask, runExpiry } = stage

const minuteMs = 60_000

const unreachable = [503, 'Could not connect to payment service.']

describe('a payment that is begun', () => {
  it('takes amount, currency and owner from our own rows, whatever the page says', async () => {
    await addPromo('TWENTY')
    const answer = await begin(olivia, MULTI, 'twenty')
    expect(answer.body).toEqual({
      clientSecret: expect.stringMatching(/^pi_\w+_secret_\w+$/),
      freeSubscription: false,
      demo: false,
      amount: 3920,
      payment: 'open',
    })
    const [row] = await payments(olivia)
    expect(row).toMatchObject({
      planId: MULTI,
      provider: 'stripe',
      status: 'pending',
      amountCents: 3920,
      currency: 'usd',
      promoCode: 'TWENTY',
      promoReserved: true,
      subscriptionId: null,
    })
    const user = await db('users').where({ id: olivia.userId }).first()
    expect(stripe.intentOf(answer.body.clientSecret)).toMatchObject({
      id: row?.providerReference,
      amount: 3920,
      currency: 'usd',
      customer: user?.stripeCustomerId,
      description: `Beaconry: plan ${MULTI}`,
      metadata: { payment: row?.providerKey, user: String(olivia.userId) },
    })
    expect(await usesOf('TWENTY')).toBe(1)
    const tampered = await olivia.call('createPaymentIntent', { body: { planId: MULTI, amount: 1 } })
    expect(tampered.status).toBe(400)
  })

  it('holds its promo code for a reload of the checkout, the last use included', async () => {
    await addPromo('LAST', { maxUses: 1 })
    const check = async () => (await olivia.call('validatePromoCode', { body: { code: 'last' } })).body.valid
    expect(await check()).toBe(true)
    const begun = await begin(olivia, MULTI, 'last')
    expect(await check()).toBe(true)
    expect((await begin(olivia, MULTI, 'last')).body.clientSecret).toBe(begun.body.clientSecret)
    expect((await begin(olivia, SINGLE, 'last')).body.amount).toBe(1600)
    const other = await otto.call('validatePromoCode', { body: { code: 'last' } })
    expect(other.body.valid, 'to others it is used up').toBe(false)
  })

  it('is the same one after a double click, a reload and in a second tab', async () => {
    const before = stripe.intents().length
    await openPool(db)
    const answers = await Promise.all(Array.from({ length: 8 }, () => begin(olivia, SINGLE)))
    const later = await begin(olivia, SINGLE)
    expect(new Set([...answers, later].map(({ body }) => body.clientSecret)).size).toBe(1)
    expect(await payments(olivia)).toHaveLength(1)
    expect(stripe.intents()).toHaveLength(before + 1)
  })

  it('is answered once more to the same request, also when it was paid meanwhile', async () => {
    const key = '6f1c2c52-6d6b-4a51-8f0a-0f5c4f6f9a01'
    const ask = async () => await olivia.call('createPaymentIntent', { body: { planId: SINGLE }, key })
    const [first, second] = [await ask(), await ask()]
    expect(second.text).toBe(first.text)
    pay(first.body.clientSecret)
    clock.now = new Date(clock.now.getTime() + 3_600_000)
    const paid = { clientSecret: first.body.clientSecret, payment: 'paid' }
    for (const _ of ['settles it', 'finds it settled']) expect((await ask()).body).toMatchObject(paid)
    expect(await payments(olivia)).toHaveLength(1)
  })

  it('is settled by a reload after the card was charged, and begun again only a little later', async () => {
    const secret = await openPaid(olivia, SINGLE)
    for (const what of ['settles it', 'finds it settled']) {
      const reloaded = await begin(olivia, SINGLE)
      expect(reloaded.body, what).toMatchObject({ clientSecret: secret, payment: 'paid' })
    }
    expect(await subscriptions(olivia)).toHaveLength(1)
    expect(await payments(olivia)).toMatchObject([{ status: 'paid' }])
    clock.now = new Date(clock.now.getTime() + 121_000)
    expect(await open(olivia, SINGLE)).not.toBe(secret)
  })

  it('waits for a bank that takes its time, instead of charging again', async () => {
    const secret = await open(olivia, SINGLE)
    pay(secret, 'slow')
    expect((await begin(olivia, SINGLE)).body).toMatchObject({ clientSecret: secret, payment: 'processing' })
    stripe.finish(secret, 'succeeded')
    expect((await look(olivia)).body.subscription.planId).toBe(SINGLE)
    expect(await payments(olivia)).toHaveLength(1)
  })

  it('is in the history once a card was tried, and goes on with another after a decline', async () => {
    const secret = await open(olivia, SINGLE)
    expect((await olivia.call('getBillingHistory')).body).toEqual({ sample: false, entries: [] })
    expect(() => pay(secret, 'declined')).toThrow('Your card was declined.')
    expect(await open(olivia, SINGLE)).toBe(secret)
    expect((await olivia.call('getBillingHistory')).body.entries).toMatchObject([{ status: 'failed' }])
    pay(secret)
    await look(olivia)
    expect((await olivia.call('getBillingHistory')).body.entries).toMatchObject([{ status: 'paid', amount: 2000 }])
  })

  it('for something else gives up the one before, with its hold on the promo code', async () => {
    await addPromo('LASTONE', { maxUses: 1 })
    const first = await open(olivia, SINGLE, 'LASTONE')
    const second = await open(olivia, MULTI, 'LASTONE')
    expect(stripe.intentOf(first).status).toBe('canceled')
    expect(stripe.intentOf(second)).toMatchObject({ status: 'requires_payment_method', amount: 3920 })
    expect((await payments(olivia)).map(({ status, promoReserved }) => [status, promoReserved])).toEqual([
      ['failed', false],
      ['pending', true],
    ])
    expect(await usesOf('LASTONE')).toBe(1)
    const ottos = await begin(otto, SINGLE, 'LASTONE')
    expect([ottos.status, ottos.body.message]).toEqual([409, 'This promo code has been used up.'])
  })

  it('for something else keeps what was paid a moment before', async () => {
    const first = await open(olivia, SINGLE)
    pay(first)
    const second = await open(olivia, UNLIMITED)
    expect(second).not.toBe(first)
    expect(await subscriptions(olivia)).toMatchObject([{ planId: SINGLE }])
  })

  it('is begun anew when the price has changed', async () => {
    const first = await open(olivia, SINGLE)
    await db('subscription_plans').where({ id: SINGLE }).update({ priceCents: 2500 })
    const second = await open(olivia, SINGLE)
    await db('subscription_plans').where({ id: SINGLE }).update({ priceCents: 2000 })
    expect([stripe.intentOf(first).status, stripe.intentOf(second).amount]).toEqual(['canceled', 2500])
  })

  it('costs nothing under 50 cents: no payment, the plan at once', async () => {
    await addPromo('ALMOST', { discountValue: 98 })
    const asked = stripe.requests.length
    const answer = await begin(olivia, SINGLE, 'ALMOST')
    expect(answer.body).toEqual({ clientSecret: null, freeSubscription: true, demo: false, amount: 0 })
    expect(stripe.requests).toHaveLength(asked)
    expect(await payments(olivia)).toMatchObject([{ provider: 'free', status: 'paid', amountCents: 0 }])
    expect(await usesOf('ALMOST')).toBe(1)
  })

  it('is refused for a plan or a code that is not to be had, with nothing written', async () => {
    expect((await begin(olivia, 99)).body.message).toBe('Invalid Plan')
    const unknown = await begin(olivia, SINGLE, 'NOPE')
    expect([unknown.status, unknown.body.fields]).toEqual([409, { promoCode: 'This promo code is not valid.' }])
    expect(await payments(olivia)).toEqual([])
  })
})

describe('a promo code', () => {
  it('counts as used when the payment is made, not when it is begun', async () => {
    const client = await server.addMember(`Ada${olivia.userId}`, { isAdmin: true })
    const counted = async () => (await client.call('getAdminStats')).body.promoCodeUses as number
    await addPromo('COUNTED')
    const secret = await open(olivia, SINGLE, 'COUNTED')
    expect([await usesOf('COUNTED'), await counted()]).toEqual([1, 0])
    pay(secret)
    await look(olivia)
    expect([await usesOf('COUNTED'), await counted()]).toEqual([1, 1])
  })

  it('cannot be guessed by beginning payments any more often than by asking', async () => {
    const statuses: number[] = []
    for (let guess = 0; guess < 12; guess += 1) {
      statuses.push((await olivia.call('validatePromoCode', { body: { code: `GUESS${guess}` } })).status)
      statuses.push((await begin(olivia, SINGLE, `GUESS${guess}`)).status)
    }
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 10 }, () => [200, 409]).flat())
    expect(statuses.slice(20)).toEqual([429, 429, 429, 429])
  })
})

describe('a Stripe in trouble', () => {
  it('that is away or fails is told, and the next try goes on with the same payment', async () => {
    for (const [kind, path] of [
      ['unreachable', '/customers'],
      [500, '/payment_intents'],
    ] as const) {
      stripe.trouble(kind, { path, times: 10 })
      const answer = await begin(olivia, SINGLE)
      expect([answer.status, answer.body.message]).toEqual(unreachable)
      stripe.clearTroubles()
    }
    await open(olivia, SINGLE)
    expect(await payments(olivia)).toHaveLength(1)
    stripe.trouble(401, { path: '/payment_intents' })
    const refused = await begin(otto, SINGLE)
    expect([refused.status, refused.body.message]).toEqual([503, 'Could not initialize payment. Please try again.'])
  })

  it('whose answer is lost has made one intent, which the next try finds under a new plan name', async () => {
    const before = stripe.intents().length
    stripe.trouble('answer lost', { path: '/payment_intents', times: 3 })
    const lost = await begin(olivia, SINGLE)
    expect([lost.status, lost.body.message]).toEqual(unreachable)
    await db('subscription_plans').where({ id: SINGLE }).update({ name: 'One Night' })
    expect(await payments(olivia)).toMatchObject([{ status: 'pending', providerReference: null }])
    const secret = await open(olivia, SINGLE)
    expect(stripe.intents()).toHaveLength(before + 1)
    expect(await payments(olivia)).toMatchObject([{ providerReference: stripe.intentOf(secret).id }])
  })

  it('that has lost the customer is given a new one by the next try', async () => {
    await db('users').where({ id: olivia.userId }).update({ stripeCustomerId: 'cus_gone' })
    expect((await begin(olivia, SINGLE)).status).toBe(503)
    await open(olivia, SINGLE)
  })

  it('that does not know the payment any more has it begun anew', async () => {
    await addPromo('ONCE', { maxUses: 1 })
    await open(olivia, SINGLE, 'ONCE')
    await db('payments')
      .where({ userId: olivia.userId })
      .update({ providerReference: `pi_gone${olivia.userId}` })
    const secret = await open(olivia, SINGLE, 'ONCE')
    expect((await payments(olivia)).map(({ status }) => status)).toEqual(['failed', 'pending'])
    expect([stripe.intentOf(secret).status, await usesOf('ONCE')]).toEqual(['requires_payment_method', 1])
  })

  it('is never asked while a transaction is open', async () => {
    const open: unknown[] = []
    const lookAround = async () => {
      const { rows } = await db.raw<{ rows: unknown[] }>(
        `select query from pg_stat_activity
         where datname = current_database() and state like 'idle in transaction%' and pid <> pg_backend_pid()`,
      )
      open.push(rows)
    }
    stripe.beforeAnswer('/customers', lookAround)
    stripe.beforeAnswer('/payment_intents', lookAround)
    await begin(olivia, SINGLE)
    expect(open).toEqual([[], []])
  })
})

describe('a payment that dies', () => {
  it('is given up when its time is over, at the provider first, and the promo code is free again', async () => {
    await addPromo('ONCE', { maxUses: 1 })
    const secret = await open(olivia, SINGLE, 'ONCE')
    const [row] = await payments(olivia)
    expect(await runExpiry(row!)).toEqual({ runAgainAt: row?.expiresAt })
    clock.now = new Date((row?.expiresAt?.getTime() ?? 0) + 1)
    expect(await runExpiry(row!)).toBeUndefined()
    expect(stripe.intentOf(secret).status).toBe('canceled')
    expect(await payments(olivia)).toMatchObject([{ status: 'failed', promoReserved: false }])
    expect(await usesOf('ONCE')).toBe(0)
    expect(await tell('payment_intent.canceled', secret)).toBe(200)
    expect(await usesOf('ONCE')).toBe(0)
    expect(() => pay(secret)).toThrow('status of canceled')
    await open(otto, SINGLE, 'ONCE')
    const queued = await db('jobs').where({ key: `expire-payment:${row?.id}` })
    expect(queued).toMatchObject([{ kind: 'expire-payment', runAt: row?.expiresAt }])
  })

  it('is kept when it turns out to be paid at its last moment', async () => {
    await addPromo('ONCE', { maxUses: 1 })
    const secret = await open(olivia, SINGLE, 'ONCE')
    const [row] = await payments(olivia)
    pay(secret)
    clock.now = new Date((row?.expiresAt?.getTime() ?? 0) + 1)
    expect(await runExpiry(row!)).toBeUndefined()
    expect(await subscriptions(olivia)).toMatchObject([{ promoCode: 'ONCE' }])
    expect(await usesOf('ONCE')).toBe(1)
  })

  it('is asked about later while the bank takes its time, and while the provider is away', async () => {
    await addPromo('FRIENDS')
    const secret = await open(olivia, SINGLE, 'FRIENDS')
    const [row] = await payments(olivia)
    pay(secret, 'slow')
    clock.now = new Date((row?.expiresAt?.getTime() ?? 0) + 1)
    expect((await runExpiry(row!))?.runAgainAt.getTime()).toBe(clock.now.getTime() + 6 * 60 * minuteMs)
    stripe.finish(secret, 'failed')
    stripe.trouble('unreachable', { times: 10 })
    expect((await runExpiry(row!))?.runAgainAt.getTime()).toBe(clock.now.getTime() + 10 * minuteMs)
    stripe.clearTroubles()
    expect(await runExpiry(row!)).toBeUndefined()
    expect((await olivia.call('getBillingHistory')).body.entries).toMatchObject([{ status: 'failed' }])
  })

  it('is given up also when the answer that made it was lost', async () => {
    stripe.trouble('answer lost', { path: '/payment_intents', times: 3 })
    await begin(olivia, SINGLE)
    stripe.clearTroubles()
    const [intent] = stripe.intents().slice(-1)
    const [row] = await payments(olivia)
    clock.now = new Date((row?.expiresAt?.getTime() ?? 0) + 1)
    await runExpiry(row!)
    expect(intent?.status).toBe('canceled')
    expect(await payments(olivia)).toMatchObject([{ status: 'failed' }])
  })
})

it('the customer of a deleted account is deleted at the provider, where already gone is fine', async () => {
  const customerOf = async () => (await db('users').where({ id: olivia.userId }).first())?.stripeCustomerId
  await open(olivia, SINGLE)
  const customerId = await customerOf()
  expect(customerId).toMatch(/^cus_/)
  await runTask('delete-customer', { customerId })
  await runTask('delete-customer', { customerId })
  await begin(olivia, MULTI)
  expect(await customerOf()).not.toBe(customerId)
})

it('a promo code of ten uses opens ten of forty payments at once, and what dies is free again', async () => {
  await addPromo('TEN', { maxUses: 10 })
  const payers = await Promise.all(Array.from({ length: 40 }, (_, index) => server.addMember(`Payer${index}`)))
  await openPool(db)
  const answers = await Promise.all(payers.map((payer) => begin(payer, SINGLE, 'TEN')))
  const secrets = answers.flatMap(({ status, body }) => (status === 200 ? [body.clientSecret as string] : []))
  expect(secrets).toHaveLength(10)
  expect(new Set(secrets).size).toBe(10)
  const refusals = answers.filter(({ status }) => status !== 200)
  expect(new Set(refusals.map(({ status, body }) => `${status} ${body.message}`))).toEqual(
    new Set(['409 This promo code has been used up.']),
  )
  expect(await usesOf('TEN')).toBe(10)
  expect(await db('payments').where({ promoCode: 'TEN' })).toHaveLength(10)

  for (const secret of secrets.slice(0, 7)) pay(secret)
  for (const secret of secrets.slice(7)) stripe.cancel(stripe.intentOf(secret).id)
  await Promise.all([
    ...secrets.slice(0, 7).flatMap((secret) => [1, 2].map(() => tell('payment_intent.succeeded', secret))),
    ...secrets.slice(7).flatMap((secret) => [1, 2].map(() => tell('payment_intent.canceled', secret))),
  ])
  expect(await usesOf('TEN')).toBe(7)
  expect(await db('user_subscriptions').where({ promoCode: 'TEN' })).toHaveLength(7)
  const again = await Promise.all(payers.slice(20).map((payer) => begin(payer, SINGLE, 'TEN')))
  expect(again.filter(({ status }) => status === 200)).toHaveLength(3)
  expect(await usesOf('TEN')).toBe(10)
}, 120_000)

it('one account uses a code once, however many uses it has and taps arrive together', async () => {
  await addPromo('SHARED', { discountValue: 100, maxUses: 10 })
  const payer = await server.addMember('Greedy')
  await openPool(db)
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      payer.call('createSubscription', { body: { planId: SINGLE, promoCode: 'shared' } }),
    ),
  )
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
  expect(new Set(answers.filter(({ status }) => status >= 300).map(({ body }) => body.message))).toEqual(
    new Set(['You have used this promo code already.']),
  )
  expect(await usesOf('SHARED')).toBe(1)
  expect(await db('user_subscriptions').where({ userId: payer.userId })).toHaveLength(1)
  const asked = await payer.call('validatePromoCode', { body: { code: 'Shared' } })
  expect(asked.body).toEqual({ valid: false, discount: 0, message: 'You have used this promo code already.' })
  const other = await (await server.addMember('Other')).call('validatePromoCode', { body: { code: 'Shared' } })
  expect(other.body.valid).toBe(true)
})
