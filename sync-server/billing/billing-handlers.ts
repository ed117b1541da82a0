import type { BillingEntry, SubscriptionStatus } from '#shared/billing/billing-calls.ts'
import { promoReasons, promoRefusal } from '#shared/billing/promo.ts'
import { signedIn } from '../calls/access.ts'
import { beforeTransaction, type Handler, type HandlerCall, type Handlers } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import type { PaymentRow } from '../db/rows/billing-rows.ts'
import { activatePlan, priceOrder, takeOrder } from './activate-plan.ts'
import { beginPayment } from './begin-payment.ts'
import { type PaymentService, PaymentServiceError } from './payment-service.ts'
import { claimUnsettled, listPayments, lockUser } from './payment-store.ts'
import { findPromo, hasUsedPromo } from './promo-store.ts'
import { settlePayment } from './settle-payment.ts'
import { publicPlan, subscriptionStatusOf } from './subscription-status.ts'
import { listPlans, listSubscriptions } from './subscription-store.ts'

const dayMs = 86_400_000

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

/** Stripe's status after a refused card. */
const refused = 'requires_payment_method'

/** Specification, section 9. */
function sampleEntries(now: Date): BillingEntry[] {
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs).toISOString()
  return [
    { id: 2, planName: 'Single Event', date: daysAgo(30), promoCode: null, amount: 2000, status: 'paid' },
    { id: 1, planName: 'Single Event', date: daysAgo(120), promoCode: 'BEACON100', amount: 0, status: 'paid' },
  ]
}

/** @param service null where no card is charged */
export function billingHandlers(service: PaymentService | null) {
  const settleOnRead = createSettleOnRead(service)
  return {
    getSubscription: async (call) => {
      const { userId } = signedIn(call)
      await settleOnRead(call, userId)
      return subscriptionStatusOf(await listSubscriptions(call.db, userId), call.now)
    },
    listPlans: async (call) => (await listPlans(call.db)).map(publicPlan),
    getBillingMode: async ({ config }) => ({
      mode: config.billing === 'stripe' ? 'live' : config.billing,
      publishableKey: config.billing === 'stripe' ? config.stripePublishableKey : null,
    }),

    /** Limited, because codes can be guessed. */
    validatePromoCode: async (call) => {
      const { userId } = signedIn(call)
      await call.spend('promo-check', `user:${userId}`)
      const promo = await findPromo(call.db, call.body.code)
      const isUsed = promo !== undefined && (await hasUsedPromo(call.db, userId, call.body.code))
      const refusal = promoRefusal(promo, call.now) ?? (isUsed ? promoReasons.usedByAccount : null)
      if (!promo || refusal !== null) return { valid: false, discount: 0, message: refusal ?? '' }
      return { valid: true, discount: promo.discountValue, message: promo.description }
    },

    createSubscription: async (call) => {
      await limitGuesses(call)
      await activateUnpaid(call)
      return await statusOf(call)
    },

    createPaymentIntent: createPaymentIntent(service),

    /** A demo without payments shows the two examples of the specification. */
    getBillingHistory: async (call) => {
      const payments = await listPayments(call.db, signedIn(call).userId)
      if (payments.length === 0 && call.config.billing === 'demo')
        return { sample: true, entries: sampleEntries(call.now) }
      return { sample: false, entries: payments.map(presentPayment) }
    },
  } satisfies Partial<Handlers>
}

const restMs = 15_000

/**
 * For where no event arrives: asks the provider when the owner looks, at most once a second for a payment and for two
 * seconds. Never throws: the next reading or event settles the rest.
 */
function createSettleOnRead(service: PaymentService | null) {
  let restUntil = 0
  return async ({ db, now, log, requestId }: HandlerCall<'getSubscription'>, userId: number): Promise<void> => {
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

/**
 * A plan that costs nothing is active at once; a demo makes no payment. The provider is asked before the transaction;
 * the next call finds what was made.
 */
function createPaymentIntent(service: PaymentService | null): Handler<'createPaymentIntent'> {
  return beforeTransaction(async (call) => {
    await limitGuesses(call)
    const { db, body, config, now, log, requestId } = call
    const demo = config.billing === 'demo'
    if (demo || !service) return beginUnpaid
    const deps = { db, service, log, now, requestId }
    const begun = await beginPayment(deps, signedIn(call).userId, body)
    if (!begun) return beginUnpaid
    const { clientSecret, amountCents: amount, state: payment } = begun
    return async () => ({ clientSecret, freeSubscription: false, demo, amount, payment })
  })
}

const beginUnpaid: Handler<'createPaymentIntent'> = async (call) => {
  const demo = call.config.billing === 'demo'
  const { amountCents: amount } = await priceOrder(call.db, { userId: signedIn(call).userId, ...call.body }, call.now)
  if (amount > 0 && demo) return { clientSecret: null, freeSubscription: false, demo, amount }
  if (amount > 0) throw new PaymentServiceError(false, 'there is no key, or the price has changed just now')
  await activateUnpaid(call)
  return { clientSecret: null, freeSubscription: true, demo, amount }
}

/** A refused order reveals as much about a promo code as `validatePromoCode`: both share an allowance. */
async function limitGuesses(call: BuyingCall): Promise<void> {
  if (call.body.promoCode !== undefined) await call.spend('promo-check', `user:${signedIn(call).userId}`)
}

type BuyingCall = HandlerCall<'createSubscription'> | HandlerCall<'createPaymentIntent'>

async function activateUnpaid(call: BuyingCall): Promise<void> {
  const { db, body, config, now } = call
  const { userId } = signedIn(call)
  // Before the promo code: settling a payment locks in this order.
  await lockUser(db, userId)
  const order = await takeOrder(db, { userId, ...body }, now)
  if (order.amountCents > 0 && config.billing !== 'demo') {
    throw new ProblemError('payment_required', 'Payment is required for this plan.')
  }
  await activatePlan(db, userId, order, order.amountCents === 0 ? 'free' : 'demo', now)
  call.touch({ what: 'account', id: userId })
}

async function statusOf(call: BuyingCall): Promise<SubscriptionStatus> {
  return subscriptionStatusOf(await listSubscriptions(call.db, signedIn(call).userId), call.now)
}
