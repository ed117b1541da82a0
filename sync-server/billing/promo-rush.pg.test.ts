import { expect, it } from 'vitest'
import { openPool } from '../testing/route-rig.ts'
import { SINGLE } from '../testing/billing-rows.ts'
import { setPaymentStage } from '../testing/stripe-service/payment-stage.ts'

const { stripe, server, db, addPromo, usesOf, begin, pay, tell } = await setPaymentStage()

it('a promo code of ten uses opens exactly ten of forty payments at once, and what dies is free again', async () => {
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

it('one account uses a code once, however many uses the code has and however many taps it sends together', async () => {
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
