import type { SubscriptionStatus } from '#shared/billing/billing-calls.ts'
import { signedIn } from '../calls/signed-in.ts'
import { beforeTransaction, type Handler, type HandlerCall } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { activatePlan, priceOrder, takeOrder } from './activate-plan.ts'
import { beginPayment } from './begin-payment.ts'
import { PaymentServiceError, type PaymentService } from './payment-service.ts'
import { lockUser } from './payment-store.ts'
import { listSubscriptions } from './subscription-store.ts'
import { subscriptionStatusOf } from './subscription-status.ts'

/** Activates a plan nobody has to pay for: any in demo mode, else one that a promo code makes free. */
export const createSubscription: Handler<'createSubscription'> = async (call) => {
  await limitGuesses(call)
  await activateUnpaid(call)
  return await statusOf(call)
}

/**
 * Begins a payment. A plan that costs nothing is active at once; in demo mode no payment is ever made. The provider is
 * asked before the call's own transaction; what that does is found again by the next call, so it may happen twice.
 */
export function createPaymentIntent(service: PaymentService | null): Handler<'createPaymentIntent'> {
  return beforeTransaction(async (call) => {
    await limitGuesses(call)
    const { db, body, config, now, log, requestId } = call
    const { demoMode: demo } = config
    if (demo || !service) return beginUnpaid
    const deps = { db, service, log, now, requestId }
    const begun = await beginPayment(deps, signedIn(call).userId, body)
    if (!begun) return beginUnpaid
    const { clientSecret, amountCents: amount, state: payment } = begun
    return async () => ({ clientSecret, freeSubscription: false, demo, amount, payment })
  })
}

/** For a plan that costs nothing, and for every plan of a demo. */
const beginUnpaid: Handler<'createPaymentIntent'> = async (call) => {
  const { demoMode: demo } = call.config
  const { amountCents: amount } = await priceOrder(call.db, { userId: signedIn(call).userId, ...call.body }, call.now)
  if (amount > 0 && demo) return { clientSecret: null, freeSubscription: false, demo, amount }
  if (amount > 0) throw new PaymentServiceError(false, 'there is no key, or the price has changed just now')
  await activateUnpaid(call)
  return { clientSecret: null, freeSubscription: true, demo, amount }
}

/** A refused order says as much about a promo code as asking for its worth does, so both are counted together. */
async function limitGuesses(call: BuyingCall): Promise<void> {
  if (call.body.promoCode !== undefined) await call.spend('promo-check', `user:${signedIn(call).userId}`)
}

type BuyingCall = HandlerCall<'createSubscription'> | HandlerCall<'createPaymentIntent'>

/** Takes the caller's order and activates it. Throws `payment_required` when a card would have to be charged. */
async function activateUnpaid(call: BuyingCall): Promise<void> {
  const { db, body, config, now } = call
  const { userId } = signedIn(call)
  // Before the promo code: whoever settles a payment of the same user takes the two in this order.
  await lockUser(db, userId)
  const order = await takeOrder(db, { userId, ...body }, now)
  if (order.amountCents > 0 && !config.demoMode) {
    throw new ProblemError('payment_required', 'Payment is required for this plan.')
  }
  await activatePlan(db, userId, order, order.amountCents === 0 ? 'free' : 'demo', now)
  call.touch({ what: 'account', id: userId })
}

async function statusOf(call: BuyingCall): Promise<SubscriptionStatus> {
  return subscriptionStatusOf(await listSubscriptions(call.db, signedIn(call).userId), call.now)
}
