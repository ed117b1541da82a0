import { describe, expect, it } from 'vitest'
import { MULTI, SINGLE } from '../testing/billing-rows.ts'
import { setPaymentStage } from '../testing/stripe-service/payment-stage.ts'

const stage = await setPaymentStage()
const { stripe, db, clock, olivia, otto } = stage
const { addPromo, usesOf, begin, open, pay, tell, payments, subscriptions, runTask, runExpiry } = stage

const minuteMs = 60_000

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
  }, 20_000)

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
  }, 20_000)
})

it('the customer of a deleted account is deleted at the provider, and one that is gone already is no failure', async () => {
  const customerOf = async () => (await db('users').where({ id: olivia.userId }).first())?.stripeCustomerId
  await open(olivia, SINGLE)
  const customerId = await customerOf()
  expect(customerId).toMatch(/^cus_/)
  await runTask('delete-customer', { customerId })
  await runTask('delete-customer', { customerId })
  await begin(olivia, MULTI)
  expect(await customerOf()).not.toBe(customerId)
})
