import { signedIn } from '../accounts/signed-in.ts'
import type { Handler, Room } from '../http/handler.ts'
import { getBillingHistory } from './billing-history.ts'
import { createPaymentIntent, createSubscription } from './buy-plan.ts'
import { listPlans, listSubscriptions } from './subscription-store.ts'
import { publicPlan, subscriptionStatusOf } from './subscription-status.ts'
import { validatePromoCode } from './validate-promo-code.ts'

/** What a page has to know before it can take a card. */
const getBillingMode: Handler<'getBillingMode'> = async ({ config }) => ({
  mode: config.demoMode ? 'demo' : 'live',
  publishableKey: config.demoMode ? null : config.stripePublishableKey,
})

/** Plans, promo codes, and the caller's subscription and payments. */
export const billingHandlers: Room<
  | 'getSubscription'
  | 'listPlans'
  | 'getBillingMode'
  | 'validatePromoCode'
  | 'createSubscription'
  | 'createPaymentIntent'
  | 'getBillingHistory'
> = {
  getSubscription: async (call) =>
    subscriptionStatusOf(await listSubscriptions(call.db, signedIn(call).userId), call.now),
  listPlans: async (call) => (await listPlans(call.db)).map(publicPlan),
  getBillingMode,
  validatePromoCode,
  createSubscription,
  createPaymentIntent,
  getBillingHistory,
}
