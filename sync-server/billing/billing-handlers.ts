import type { BillingEntry, SubscriptionStatus } from '#shared/billing/billing-calls.ts'
import { promoReasons, promoRefusal } from '#shared/billing/promo.ts'
import { signedIn } from '../calls/access.ts'
import type { HandlerCall, HandlerObject, Handlers, Make } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import type { PaymentRow } from '../db/rows/billing-rows.ts'
import { activatePlan, priceOrder, takeOrder } from './activate-plan.ts'
import { beginPayment } from './begin-payment.ts'
import { type PaymentService, PaymentServiceError } from './payment-service.ts'
import { claimUnsettled, listPayments, lockUser } from './payment-store.ts'
import { findPromo, hasUsedPromo, holdsPromo } from './promo-store.ts'
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

/** Stripe gives this status to a payment whose card was refused. */
const refused = 'requires_payment_method'

/** A demo shows these entries (specification, section 9). */
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

    /** Tries are limited, because codes can be guessed. */
    validatePromoCode: async (call) => {
      const { userId } = signedIn(call)
      await call.spend('promo-check', `user:${userId}`)
      const { code } = call.body
      const found = await findPromo(call.db, code)
      // A reload of the checkout asks about a code that its own payment holds.
      const isHeld = found !== undefined && (await holdsPromo(call.db, userId, code))
      const promo = found && isHeld ? { ...found, currentUses: found.currentUses - 1 } : found
      const isUsed = promo !== undefined && !isHeld && (await hasUsedPromo(call.db, userId, code))
      const refusal = promoRefusal(promo, call.now) ?? (isUsed ? promoReasons.usedByAccount : null)
      if (!promo || refusal !== null) return { valid: false, discount: 0, message: refusal ?? '' }
      return { valid: true, discount: promo.discountValue, message: promo.description }
    },

    createSubscription: {
      make: async (call) => {
        await limitGuesses(call)
        await activateUnpaid(call)
        return await statusOf(call)
      },
      present: statusOf,
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
function createPaymentIntent(service: PaymentService | null): HandlerObject<'createPaymentIntent'> {
  const begin = async (call: HandlerCall<'createPaymentIntent'>, paidSince?: Date) => {
    const { db, body, config, now, log, requestId } = call
    if (config.billing === 'demo' || !service) return undefined
    const begun = await beginPayment({ db, service, log, now, requestId, paidSince }, signedIn(call).userId, body)
    if (!begun) return undefined
    const { clientSecret, amountCents: amount, state: payment } = begun
    return { clientSecret, freeSubscription: false, demo: false, amount, payment }
  }
  return {
    before: async (call) => {
      await limitGuesses(call)
      const begun = await begin(call)
      return begun ? async () => begun : beginUnpaid
    },
    present: async (call, { at }) => {
      const begun = await begin(call, at)
      if (begun) return begun
      const demo = call.config.billing === 'demo'
      // A code that was used up by this very order has no price any more.
      const amount = await priceOf(call).catch(() => 0)
      return { clientSecret: null, freeSubscription: amount === 0, demo, amount }
    },
  }
}

async function priceOf(call: BuyingCall): Promise<number> {
  return (await priceOrder(call.db, { userId: signedIn(call).userId, ...call.body }, call.now)).amountCents
}

const beginUnpaid: Make<'createPaymentIntent'> = async (call) => {
  const demo = call.config.billing === 'demo'
  const amount = await priceOf(call)
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
