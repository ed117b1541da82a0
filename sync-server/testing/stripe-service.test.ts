import { createServer } from 'node:http'
import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startStripeService, type StripeService } from './stripe-service.ts'

let service: StripeService
let stripe: Stripe

beforeEach(async () => {
  service = await startStripeService({ webhookSecret: 'whsec_test' })
  const { hostname, port } = new URL(service.origin)
  stripe = new Stripe('sk_test_1', {
    apiVersion: '2026-10-28.endive',
    host: hostname,
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  })
})
afterEach(() => service.close())

const order: Stripe.PaymentIntentCreateParams = {
  amount: 2000,
  currency: 'usd',
  automatic_payment_methods: { enabled: true },
  metadata: { payment: 'one' },
}

describe('our own Stripe, spoken to with the official library', () => {
  it('makes one intent for one key, however often it is asked', async () => {
    const twice = await Promise.all([1, 2].map(() => stripe.paymentIntents.create(order, { idempotencyKey: 'key' })))
    expect(twice[0]?.id).toBe(twice[1]?.id)
    expect(service.intents()).toHaveLength(1)
    const other = stripe.paymentIntents.create({ ...order, amount: 1 }, { idempotencyKey: 'key' })
    await expect(other).rejects.toMatchObject({ type: 'StripeIdempotencyError' })
  })

  it('takes a good card, tells the charge, and refuses a second time', async () => {
    const made = await stripe.paymentIntents.create(order)
    service.confirm(made.client_secret ?? '')
    const seen = await stripe.paymentIntents.retrieve(made.id, { expand: ['latest_charge'] })
    expect(seen).toMatchObject({ status: 'succeeded', amount_received: 2000, latest_charge: { amount_refunded: 0 } })
    expect(() => service.confirm(made.client_secret ?? '')).toThrow('status of succeeded')
  })

  it('refuses a declined card and leaves the intent open for another', async () => {
    const made = await stripe.paymentIntents.create(order)
    expect(() => service.confirm(made.client_secret ?? '', 'declined')).toThrow('Your card was declined.')
    const seen = await stripe.paymentIntents.retrieve(made.id)
    expect(seen).toMatchObject({ status: 'requires_payment_method', last_payment_error: { code: 'card_declined' } })
    expect(service.confirm(made.client_secret ?? '').status).toBe('succeeded')
  })

  it('lets a page confirm with the client secret and the public key, and nobody without', async () => {
    const made = await stripe.paymentIntents.create(order)
    const confirm = async (secret: string) =>
      await fetch(`${service.origin}/v1/payment_intents/${made.id}/confirm?key=pk_test_1`, {
        method: 'POST',
        body: new URLSearchParams({
          client_secret: secret,
          'payment_method_data[card][number]': '4000 0025 0000 3155',
        }),
      })
    expect((await confirm('guessed')).status).toBe(400)
    const answer = (await (await confirm(made.client_secret ?? '')).json()) as object
    expect(answer).toMatchObject({ status: 'requires_action' })
    expect(answer).not.toHaveProperty('metadata')
    expect(service.finish(made.client_secret ?? '', 'failed').last_payment_error?.message).toMatch(
      /unable to authenticate/,
    )
  })

  it('signs what happened so that the library believes it, and only in time', async () => {
    service.addForeignIntent({ amount: 100, metadata: {} })
    const [event] = service.events
    const received: { body: string; signature: string }[] = []
    const target = createServer((request, response) => {
      let body = ''
      request.on('data', (piece: Buffer) => (body += piece.toString()))
      request.on('end', () => {
        received.push({ body, signature: String(request.headers['stripe-signature']) })
        response.end()
      })
    })
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(target.address() as { port: number }).port}/`
    expect(await service.deliver(event!, { url })).toBe(200)
    await service.deliver(event!, { url, secret: 'whsec_other' })
    await service.deliver(event!, { url, signedAt: new Date(Date.now() - 301_000) })
    target.close()
    const believed = received.map(({ body, signature }) => {
      try {
        return stripe.webhooks.constructEvent(body, signature, 'whsec_test').type
      } catch (error) {
        return (error as Error).message.split('.')[0]
      }
    })
    expect(believed).toEqual([
      'payment_intent.created',
      'No signatures found matching the expected signature for payload',
      'Timestamp outside the tolerance zone',
    ])
  })

  it('breaks the line before or after a request took effect', async () => {
    service.trouble('unreachable', { times: 2 })
    await expect(stripe.paymentIntents.create(order)).rejects.toMatchObject({ type: 'StripeConnectionError' })
    expect(service.intents()).toHaveLength(0)
    service.trouble('answer lost', { times: 2 })
    await expect(stripe.paymentIntents.create(order)).rejects.toMatchObject({ type: 'StripeConnectionError' })
    expect(service.intents()).toHaveLength(1)
  })
})
