import { connect } from 'node:net'
import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { SINGLE } from '../testing/billing-rows.ts'
import { liveConfig, setPaymentStage } from '../testing/stripe-service/payment-stage.ts'
import type { StripeEvent } from '../testing/stripe-service/webhook-sender.ts'
import { startTestServer } from '../testing/test-server.ts'
import { webhookPath } from './stripe-webhook.ts'

const stage = await setPaymentStage()
const { stripe, server, db, webhookUrl, clock, olivia } = stage
const { open, pay, openPaid, tell, eventOf, payments, subscriptions } = stage

const succeeded = 'payment_intent.succeeded'

async function paidEvent(): Promise<StripeEvent> {
  const secret = await openPaid(olivia, SINGLE)
  return eventOf(succeeded, secret)
}

const deliver = async (event: StripeEvent, options: { secret?: string; signedAt?: Date } = {}) =>
  await stripe.deliver(event, { url: webhookUrl, signedAt: clock.now, ...options })

const secondsAgo = (seconds: number) => new Date(clock.now.getTime() - seconds * 1000)

describe('the webhook', () => {
  it('believes nobody without the secret, and nothing that was signed more than 300 seconds ago', async () => {
    const event = await paidEvent()
    expect(await deliver(event, { secret: 'whsec_guessed' })).toBe(400)
    expect(await deliver(event, { signedAt: secondsAgo(302) })).toBe(400)
    const bare = await fetch(webhookUrl, { method: 'POST', body: JSON.stringify(event) })
    expect(bare.status).toBe(400)
    expect(await bare.json()).toMatchObject({ code: 'invalid_input', requestId: expect.any(String) })
    expect(await subscriptions(olivia)).toEqual([])
    expect(await db('stripe_events').where({ id: event.id })).toEqual([])
    expect(await deliver(event, { signedAt: secondsAgo(298) })).toBe(200)
    expect(await subscriptions(olivia)).toHaveLength(1)
  })

  it('reads the signature over the bytes as they came', async () => {
    const event = await paidEvent()
    const payload = JSON.stringify(event)
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload,
      secret: stripe.webhookSecret,
      timestamp: Math.floor(clock.now.getTime() / 1000),
    })
    const post = async (body: string) =>
      (await fetch(webhookUrl, { method: 'POST', headers: { 'stripe-signature': signature }, body })).status
    expect(await post(payload.replace('"amount":2000', '"amount":2001'))).toBe(400)
    expect(await post(JSON.stringify(event, null, 2))).toBe(400)
    expect(await post(payload)).toBe(200)
  })

  it('needs neither a session nor our own origin, and is no call of the app', async () => {
    const response = await fetch(webhookUrl)
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    expect(response.headers.get('set-cookie')).toBeNull()
    expect((await olivia.call('describeApi')).text).not.toContain(webhookPath)
  })

  it('takes no body beyond its limit', async () => {
    const { port } = new URL(webhookUrl)
    const head = `POST ${webhookPath} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 300000\r\n\r\n`
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(head))
      socket.once('data', (piece: Buffer) => {
        resolve(piece.toString())
        socket.destroy()
      })
    })
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })

  it('says yes to what is of no interest, and keeps nothing of it', async () => {
    const secret = await open(olivia, SINGLE)
    expect(await tell('payment_intent.created', secret)).toBe(200)
    expect(await tell('customer.created')).toBe(200)
    expect(await db('stripe_events').where({ id: eventOf('customer.created').id })).toEqual([])
  })

  it('says yes only to what is stored: without provider or database the event comes again', async () => {
    const secret = await open(olivia, SINGLE)
    pay(secret, 'slow')
    stripe.trouble(500, { path: '/payment_intents', times: 10 })
    expect(await tell('payment_intent.processing', secret)).toBe(503)
    stripe.clearTroubles()
    expect(await db('stripe_events').where({ id: eventOf('payment_intent.processing', secret).id })).toEqual([])
    expect(await tell('payment_intent.processing', secret)).toBe(200)

    stripe.finish(secret, 'succeeded')
    await db.raw(`create function fail() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`)
    await db.raw('create trigger fail before insert on sync_log for each row execute function fail()')
    expect(await tell(succeeded, secret)).toBe(500)
    expect(await subscriptions(olivia)).toEqual([])
    expect(await db('stripe_events').where({ id: eventOf(succeeded, secret).id })).toEqual([])
    await db.raw('drop trigger fail on sync_log')
    await db.raw('drop function fail')
    expect(await tell(succeeded, secret)).toBe(200)
    expect(await payments(olivia)).toMatchObject([{ status: 'paid' }])
  })

  it('writes no secret, name or address into the log', async () => {
    const event = await paidEvent()
    await deliver(event)
    const all = server.log.join('')
    for (const canary of ['_secret_', 'whsec_', 'sk_test_', '@example.com', 'cus_']) expect(all).not.toContain(canary)
  })

  it('is not there where no card is charged, or no secret was given', async () => {
    const event = await paidEvent()
    const demo = await startTestServer({ db: db })
    const unsigned = await startTestServer({
      db: db,
      config: { ...liveConfig(stripe), stripeWebhookSecret: null },
    })
    for (const { origin } of [demo, unsigned])
      expect(await stripe.deliver(event, { url: `${origin}${webhookPath}` })).toBe(404)
    await demo.close()
    await unsigned.close()
  })
})
