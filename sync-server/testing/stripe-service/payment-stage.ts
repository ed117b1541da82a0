import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { Knex } from 'knex'
import { pino } from 'pino'
import { createPaymentService, type PaymentService } from '../../billing/payment-service.ts'
import { createPaymentTasks } from '../../billing/begin-payment.ts'
import { webhookPath } from '../../billing/stripe-webhook.ts'
import type { PaymentRow, UserSubscriptionRow } from '../../db/rows/billing-rows.ts'
import type { ClaimedJob } from '../../jobs/job-queue.ts'
import type { TaskResult } from '../../jobs/worker.ts'
import { addPromoCode } from '../billing-rows.ts'
import { startStripeService, type StripeService } from '../stripe-service.ts'
import { startTestServer, type TestAnswer, type TestClient, type TestServer } from '../test-server.ts'
import type { Card, StripeEvent } from './stripe-objects.ts'

/** A person with a browser of their own. */
export interface Payer {
  readonly userId: number
  readonly client: TestClient
}

/** A server that charges cards, and the Stripe it talks to; events are sent by hand unless a test says otherwise. */
export interface PaymentStage {
  readonly stripe: StripeService
  readonly server: TestServer
  readonly db: Knex
  readonly webhookUrl: string
  /** What the server takes for the present instant; tests move it. */
  readonly clock: { now: Date }
  readonly olivia: Payer
  readonly otto: Payer
  addPayer(name: string): Promise<Payer>
  addPromo(code: string, columns?: { discountValue?: number; maxUses?: number | null }): Promise<void>
  usesOf(code: string): Promise<number>
  /** POST /api/create-payment-intent. */
  begin(payer: Payer, planId: number, promoCode?: string): Promise<TestAnswer>
  /** `begin` that has to open a payment; answers its client secret. */
  open(payer: Payer, planId: number, promoCode?: string): Promise<string>
  pay(clientSecret: string, card?: Card): void
  /** GET /api/user/subscription. */
  look(payer: Payer): Promise<TestAnswer>
  /** Sends the newest event of this type, signed as of the server's clock; answers the HTTP status. */
  tell(type: string, clientSecret?: string): Promise<number>
  eventOf(type: string, clientSecret?: string): StripeEvent
  payments(payer: Payer): Promise<PaymentRow[]>
  subscriptions(payer: Payer): Promise<UserSubscriptionRow[]>
  /** Runs a job as the worker does when it is due. */
  runTask(kind: string, payload: Record<string, unknown>): Promise<TaskResult>
  /** Runs the one that gives a payment up. */
  runExpiry(payment: PaymentRow): Promise<TaskResult>
}

/** Sets the stage for the tests of the calling file; every test finds its own Olivia and Otto. */
export function setPaymentStage(): PaymentStage {
  const clock = { now: new Date() }
  let stripe: StripeService
  let server: TestServer
  let service: PaymentService
  let olivia: Payer
  let otto: Payer
  let round = 0

  async function addPayer(name: string): Promise<Payer> {
    const userId = await server.createUser(name)
    const client = server.client()
    await client.signInAs(userId)
    return { userId, client }
  }

  beforeAll(async () => {
    stripe = await startStripeService({ webhookSecret: 'whsec_stage' })
    server = await startTestServer({ config: liveConfig(stripe), now: () => clock.now })
    service = createPaymentService(server.config) as PaymentService
  })
  afterAll(async () => {
    await server.close()
    await stripe.close()
  })
  beforeEach(async () => {
    round += 1
    clock.now = new Date()
    stripe.sendEventsTo(null)
    await server.db('promo_codes').del()
    olivia = await addPayer(`Olivia${round}`)
    otto = await addPayer(`Otto${round}`)
  })

  const runTask: PaymentStage['runTask'] = async (kind, payload) => {
    const tasks = createPaymentTasks({ db: server.db, service, log: pino({ level: 'silent' }), now: () => clock.now })
    const run = { signal: new AbortController().signal, stillHeld: async () => true }
    return await tasks[kind]?.({ payload } as unknown as ClaimedJob, run)
  }
  const webhookUrl = () => `${server.origin}${webhookPath}`
  const begin: PaymentStage['begin'] = async ({ client }, planId, promoCode) =>
    await client.call('createPaymentIntent', { body: { planId, ...(promoCode ? { promoCode } : {}) } })

  function eventOf(type: string, clientSecret?: string): StripeEvent {
    const intentId = clientSecret?.split('_secret_')[0]
    const found = stripe.events.findLast(
      (event) => event.type === type && (intentId === undefined || JSON.stringify(event.data).includes(intentId)),
    )
    if (!found) throw new Error(`There was no ${type}`)
    return found
  }

  return {
    get stripe() {
      return stripe
    },
    get server() {
      return server
    },
    get db() {
      return server.db
    },
    get webhookUrl() {
      return webhookUrl()
    },
    get olivia() {
      return olivia
    },
    get otto() {
      return otto
    },
    clock,
    addPayer,
    addPromo: (code, columns) => addPromoCode(server.db, code, columns),
    usesOf: async (code) => (await server.db('promo_codes').where({ code }).first())?.currentUses ?? -1,
    begin,
    open: async (payer, planId, promoCode) => {
      const answer = await begin(payer, planId, promoCode)
      expect([answer.status, answer.body.payment]).toEqual([200, 'open'])
      return answer.body.clientSecret as string
    },
    pay: (clientSecret, card = 'good') => void stripe.confirm(clientSecret, card),
    look: async ({ client }) => {
      // Looking is answered by Stripe once a second at most.
      clock.now = new Date(clock.now.getTime() + 1_001)
      return await client.call('getSubscription')
    },
    tell: async (type, clientSecret) =>
      await stripe.deliver(eventOf(type, clientSecret), { url: webhookUrl(), signedAt: clock.now }),
    eventOf,
    payments: async ({ userId }) => await server.db('payments').where({ userId }).orderBy('id'),
    subscriptions: async ({ userId }) => await server.db('user_subscriptions').where({ userId }).orderBy('id'),
    runTask,
    runExpiry: async ({ id }) => await runTask('expire-payment', { paymentId: id }),
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
