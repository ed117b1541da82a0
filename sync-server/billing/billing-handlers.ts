import { signedIn } from '../calls/signed-in.ts'
import type { Handler, Room } from '../calls/handler.ts'
import { getBillingHistory } from './billing-history.ts'
import { createPaymentIntent, createSubscription } from './buy-plan.ts'
import type { PaymentService } from './payment-service.ts'
import { createSettleOnRead } from './settle-on-read.ts'
import { listPlans, listSubscriptions } from './subscription-store.ts'
import { publicPlan, subscriptionStatusOf } from './subscription-status.ts'
import { validatePromoCode } from './validate-promo-code.ts'

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
