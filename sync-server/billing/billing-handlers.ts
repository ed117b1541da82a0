import type { Knex } from 'knex'
import type { Logger } from 'pino'
import type { BillingEntry, BillingHistory } from '#shared/billing/billing-calls.ts'
import { promoReasons, promoRefusal } from '#shared/billing/promo.ts'
import { signedIn } from '../calls/signed-in.ts'
import type { Handler, Room } from '../calls/handler.ts'
import type { PaymentRow } from '../db/rows/billing-rows.ts'
import { createPaymentIntent, createSubscription } from './buy-plan.ts'
import { PaymentServiceError, type PaymentService } from './payment-service.ts'
import { listPayments, claimUnsettled } from './payment-store.ts'
import { findPromo, hasUsedPromo } from './promo-store.ts'
import { settlePayment } from './settle-payment.ts'
import { listPlans, listSubscriptions } from './subscription-store.ts'
import { publicPlan, subscriptionStatusOf } from './subscription-status.ts'

const dayMs = 86_400_000

/** The caller's payments; in demo mode, where there is none, the two examples of the specification. */
const getBillingHistory: Handler<'getBillingHistory'> = async (call): Promise<BillingHistory> => {
  const payments = await listPayments(call.db, signedIn(call).userId)
  if (payments.length === 0 && call.config.demoMode) return { sample: true, entries: sampleEntries(call.now) }
  return { sample: false, entries: payments.map(presentPayment) }
}

function presentPayment(row: PaymentRow & { planName: string }): BillingEntry {
  return {
    id: row.id,
    planName: row.planName,
    date: (row.paidAt ?? row.createdAt).toISOString(),
    promoCode: row.promoCode,
    amount: row.amountCents,
    status: row.status === 'pending' && row.providerStatus === refused ? 'failed' : row.status,
    ...(row.refundedCents > 0 ? { refunded: row.refundedCents } : {}),
    ...(row.disputedCents > 0 ? { disputed: true as const } : {}),
  }
}

/** The provider's word for a payment that waits for another card, the last one having been refused. */
const refused = 'requires_payment_method'

/** A 2000-cent single-event charge and a free entry with a promo code (specification, section 9). */
function sampleEntries(now: Date): BillingEntry[] {
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs).toISOString()
  return [
    { id: 2, planName: 'Single Event', date: daysAgo(30), promoCode: null, amount: 2000, status: 'paid' },
    { id: 1, planName: 'Single Event', date: daysAgo(120), promoCode: 'BEACON100', amount: 0, status: 'paid' },
  ]
}

/** Says what a promo code is worth now; uses nothing up. How often somebody may ask is limited, for codes can be guessed. */
const validatePromoCode: Handler<'validatePromoCode'> = async (call) => {
  const { userId } = signedIn(call)
  await call.spend('promo-check', `user:${userId}`)
  const promo = await findPromo(call.db, call.body.code)
  const isUsed = promo !== undefined && (await hasUsedPromo(call.db, userId, call.body.code))
  const refusal = promoRefusal(promo, call.now) ?? (isUsed ? promoReasons.usedByAccount : null)
  if (!promo || refusal !== null) return { valid: false, discount: 0, message: refusal ?? '' }
  return { valid: true, discount: promo.discountValue, message: promo.description }
}

/** What a page has to know before it can take a card. */
const getBillingMode: Handler<'getBillingMode'> = async ({ config }) => ({
  mode: config.demoMode ? 'demo' : 'live',
  publishableKey: config.demoMode ? null : config.stripePublishableKey,
})

/** Plans, promo codes, and the caller's subscription and payments. `service` is null where no card is charged. */
export function billingHandlers(
  service: PaymentService | null,
): Room<
  | 'getSubscription'
  | 'listPlans'
  | 'getBillingMode'
  | 'validatePromoCode'
  | 'createSubscription'
  | 'createPaymentIntent'
  | 'getBillingHistory'
> {
  const settleOnRead = createSettleOnRead(service)
  return {
    getSubscription: async (call) => {
      const { userId } = signedIn(call)
      await settleOnRead(call, userId)
      return subscriptionStatusOf(await listSubscriptions(call.db, userId), call.now)
    },
    listPlans: async (call) => (await listPlans(call.db)).map(publicPlan),
    getBillingMode,
    validatePromoCode,
    createSubscription,
    createPaymentIntent: createPaymentIntent(service),
    getBillingHistory,
  }
}

/** How long nobody is kept waiting for a provider that could not be reached. */
const restMs = 15_000

interface Reading {
  readonly db: Knex
  readonly now: Date
  readonly log: Logger
  readonly requestId: string
}

/**
 * Settles what a user has begun to pay by asking the provider, so that a plan is there when its owner looks, also where
 * no event arrives. Takes about two seconds at most, asks about a payment at most once a second, and never throws: what
 * cannot be settled now is settled by the next reading, or by an event.
 */
function createSettleOnRead(service: PaymentService | null): (reading: Reading, userId: number) => Promise<void> {
  let restUntil = 0
  return async ({ db, now, log, requestId }, userId) => {
    if (!service || now.getTime() < restUntil) return
    try {
      const due = await claimUnsettled(db, userId, now)
      const ask = async (reference: string) =>
        await settlePayment(db, await service.findIntent(reference, { isUrgent: true }), { now, log, requestId })
      await Promise.all(due.flatMap(({ providerReference: reference }) => (reference === null ? [] : ask(reference))))
    } catch (error) {
      if (error instanceof PaymentServiceError && error.isUnreachable) restUntil = now.getTime() + restMs
      log.warn({ err: error }, 'a payment could not be settled while its owner looked')
    }
  }
}
