import { signedIn } from '../accounts/signed-in.ts'
import type { Room } from '../http/handler.ts'
import { listPlans, listSubscriptions } from './subscription-store.ts'
import { publicPlan, subscriptionStatusOf } from './subscription-status.ts'

/** Plans and the caller's subscription. */
export const billingHandlers: Room<'getSubscription' | 'listPlans'> = {
  getSubscription: async (call) =>
    subscriptionStatusOf(await listSubscriptions(call.db, signedIn(call).userId), call.now),
  listPlans: async (call) => (await listPlans(call.db)).map(publicPlan),
}
