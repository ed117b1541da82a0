import type { SubscriptionStatus } from '#shared/api/billing.ts'
import { accountChange } from '../accounts/account-document.ts'
import { signedIn } from '../accounts/signed-in.ts'
import type { Handler, HandlerCall } from '../http/handler.ts'
import { ProblemError } from '../http/problems.ts'
import { activatePlan, priceOrder, takeOrder } from './activate-plan.ts'
import { listSubscriptions } from './subscription-store.ts'
import { subscriptionStatusOf } from './subscription-status.ts'

/** Activates a plan nobody has to pay for: any in demo mode, else one that a promo code makes free. */
export const createSubscription: Handler<'createSubscription'> = async (call) => {
  await activateUnpaid(call)
  return await statusOf(call)
}

/** Begins a payment. A plan that costs nothing is active at once; in demo mode no payment is ever made. */
export const createPaymentIntent: Handler<'createPaymentIntent'> = async (call) => {
  const { demoMode: demo } = call.config
  const { amountCents: amount } = await priceOrder(call.db, call.body.planId, call.body.promoCode, call.now)
  if (amount === 0) {
    await activateUnpaid(call)
    return { clientSecret: null, freeSubscription: true, demo, amount }
  }
  if (demo) return { clientSecret: null, freeSubscription: false, demo, amount }
  throw new ProblemError('unavailable', 'Could not initialize payment. Please try again.')
}

type BuyingCall = HandlerCall<'createSubscription'> | HandlerCall<'createPaymentIntent'>

/** Takes the caller's order and activates it. Throws `payment_required` when a card would have to be charged. */
async function activateUnpaid(call: BuyingCall): Promise<void> {
  const { db, body, config, now } = call
  const { userId } = signedIn(call)
  const order = await takeOrder(db, body.planId, body.promoCode, now)
  if (order.amountCents > 0 && !config.demoMode) {
    throw new ProblemError('payment_required', 'Payment is required for this plan.')
  }
  await activatePlan(db, userId, order, order.amountCents === 0 ? 'free' : 'demo', now)
  call.publish([await accountChange(db, userId, now)])
}

async function statusOf(call: BuyingCall): Promise<SubscriptionStatus> {
  return subscriptionStatusOf(await listSubscriptions(call.db, signedIn(call).userId), call.now)
}
