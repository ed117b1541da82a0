import { afterAll, beforeEach, expect } from 'vitest'
import { pino } from 'pino'
import { createPaymentService, type PaymentService } from '../../billing/payment-service.ts'
import { createPaymentTasks } from '../../billing/begin-payment.ts'
import { webhookPath } from '../../billing/stripe-webhook.ts'
import type { PaymentRow } from '../../db/rows/billing-rows.ts'
import type { ClaimedJob } from '../../jobs/job-queue.ts'
import { addPromoCode } from '../billing-rows.ts'
import { startStripeService, type StripeService } from '../stripe-service.ts'
import { setTestServer, type Member } from '../test-server.ts'
import type { Card } from './stripe-objects.ts'
import type { StripeEvent } from './webhook-sender.ts'

/**
 * A server that charges cards, and the Stripe it talks to, for the tests of the calling file; events are sent by hand unless a
 * test says otherwise.
 */
export async function setPaymentStage() {
  /** What the server takes for the present instant; tests move it. */
  const clock = { now: new Date() }
  const stripe = await startStripeService({ webhookSecret: 'whsec_stage' })
  afterAll(() => stripe.close())
  const server = await setTestServer({ config: liveConfig(stripe), now: () => clock.now })
  const { db } = server
  const webhookUrl = `${server.origin}${webhookPath}`
  const service = (await createPaymentService(server.config)) as PaymentService
  /** Each test's own. */
  const [olivia, otto] = [{}, {}] as [Member, Member]
  let round = 0

  beforeEach(async () => {
    round += 1
    clock.now = new Date()
    stripe.sendEventsTo(null)
    await db('promo_codes').del()
    Object.assign(olivia, await server.addMember(`Olivia${round}`))
    Object.assign(otto, await server.addMember(`Otto${round}`))
  })

  /** POST /api/create-payment-intent. */
  const begin = async (payer: Member, planId: number, promoCode?: string) =>
    await payer.call('createPaymentIntent', { body: { planId, ...(promoCode ? { promoCode } : {}) } })

  /** `begin` that has to open a payment; answers its client secret. */
  async function open(payer: Member, planId: number, promoCode?: string): Promise<string> {
    const answer = await begin(payer, planId, promoCode)
    expect([answer.status, answer.body.payment]).toEqual([200, 'open'])
    return answer.body.clientSecret
  }

  const pay = (clientSecret: string, card: Card = 'good') => void stripe.confirm(clientSecret, card)

  /** The newest event of this type. */
  function eventOf(type: string, clientSecret?: string): StripeEvent {
    const intentId = clientSecret?.split('_secret_')[0]
    const found = stripe.events.findLast(
      (event) => event.type === type && (intentId === undefined || JSON.stringify(event.data).includes(intentId)),
    )
    if (!found) throw new Error(`There was no ${type}`)
    return found
  }

  /** Runs a job as the worker does when it is due. */
  async function runTask(kind: string, payload: Record<string, unknown>) {
    const tasks = createPaymentTasks({ db, service, log: pino({ level: 'silent' }), now: () => clock.now })
    const run = { signal: new AbortController().signal, stillHeld: async () => true }
    return await tasks[kind]?.({ payload } as unknown as ClaimedJob, run)
  }

  return {
    stripe,
    server,
    db,
    webhookUrl,
    clock,
    olivia,
    otto,
    addPromo: async (code: string, columns?: { discountValue?: number; maxUses?: number | null }) =>
      await addPromoCode(db, code, columns),
    usesOf: async (code: string) => (await db('promo_codes').where({ code }).first())?.currentUses ?? -1,
    begin,
    open,
    pay,
    /** `open` and `pay`; the server has not heard of it. */
    openPaid: async (payer: Member, planId: number, promoCode?: string) => {
      const secret = await open(payer, planId, promoCode)
      pay(secret)
      return secret
    },
    /** GET /api/user/subscription. */
    look: async (payer: Member) => {
      // Looking is answered by Stripe once a second at most.
      clock.now = new Date(clock.now.getTime() + 1_001)
      return await payer.call('getSubscription')
    },
    /** Sends the newest event of this type, signed as of the server's clock; answers the HTTP status. */
    tell: async (type: string, clientSecret?: string) =>
      await stripe.deliver(eventOf(type, clientSecret), { url: webhookUrl, signedAt: clock.now }),
    eventOf,
    payments: async ({ userId }: Member) => await db('payments').where({ userId }).orderBy('id'),
    subscriptions: async ({ userId }: Member) => await db('user_subscriptions').where({ userId }).orderBy('id'),
    runTask,
    /** Runs the one that gives a payment up. */
    runExpiry: async ({ id }: PaymentRow) => await runTask('expire-payment', { paymentId: id }),
  }
}

/** The settings of a server that charges cards at a Stripe of ours. */
export function liveConfig(stripe: StripeService) {
  return {
    demoMode: false,
    billing: 'stripe',
    stripeSecretKey: 'sk_test_stage',
    stripePublishableKey: 'pk_test_stage',
    stripeWebhookSecret: stripe.webhookSecret,
    stripeApiOrigin: stripe.origin,
  } as const
}
