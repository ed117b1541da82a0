import { call, Refused } from '../api/call.ts'

const attempts = 6
const pauseMs = 1_000

/**
 * Has our server hear of a payment that went through: asked for the subscription it asks the provider itself, whether or not
 * the provider has told it by then.
 * @param planName of the plan that was paid for; null when it is not known
 * @returns whether the plan is active now; false when the server did not say so in time, or to nobody signed in
 */
export async function hearOfPayment(planName: string | null): Promise<boolean> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    try {
      await call('getSubscription')
      const { entries } = await call('getBillingHistory')
      const newest = entries.find((entry) => planName === null || entry.planName === planName)
      if (newest?.status === 'paid') return true
    } catch (error) {
      if (error instanceof Refused && error.status === 401) return false
    }
    if (attempt < attempts) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  return false
}
