import { expect, it } from 'vitest'
import { openPool } from '../testing/route-rig.ts'
import { setPaymentStage, SINGLE } from '../testing/stripe-service/payment-stage.ts'

const stage = setPaymentStage()
const { addPayer, addPromo, begin, pay, tell, usesOf } = stage

it('a promo code of ten uses opens exactly ten of two hundred payments at once, and what dies is free again', async () => {
  await addPromo('TEN', { max_uses: 10 })
  const payers = await Promise.all(Array.from({ length: 200 }, (_, index) => addPayer(`Payer${index}`)))
  await openPool(stage.db)
  const answers = await Promise.all(payers.map((payer) => begin(payer, SINGLE, 'TEN')))
  const secrets = answers.flatMap(({ status, body }) => (status === 200 ? [body.clientSecret as string] : []))
  expect(secrets).toHaveLength(10)
  expect(new Set(secrets).size).toBe(10)
  const refusals = answers.filter(({ status }) => status !== 200)
  expect(new Set(refusals.map(({ status, body }) => `${status} ${body.message}`))).toEqual(
    new Set(['409 This promo code has been used up.']),
  )
  expect(await usesOf('TEN')).toBe(10)
  expect(await stage.db('payments').where({ promo_code: 'TEN' })).toHaveLength(10)

  for (const secret of secrets.slice(0, 7)) pay(secret)
  for (const secret of secrets.slice(7)) stage.stripe.cancel(stage.stripe.intentOf(secret).id)
  await Promise.all([
    ...secrets.slice(0, 7).flatMap((secret) => [1, 2].map(() => tell('payment_intent.succeeded', secret))),
    ...secrets.slice(7).flatMap((secret) => [1, 2].map(() => tell('payment_intent.canceled', secret))),
  ])
  expect(await usesOf('TEN')).toBe(7)
  expect(await stage.db('user_subscriptions').where({ promo_code: 'TEN' })).toHaveLength(7)
  const again = await Promise.all(payers.slice(100, 150).map((payer) => begin(payer, SINGLE, 'TEN')))
  expect(again.filter(({ status }) => status === 200)).toHaveLength(3)
  expect(await usesOf('TEN')).toBe(10)
}, 120_000)
