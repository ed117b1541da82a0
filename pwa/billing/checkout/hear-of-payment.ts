import type { BillingEntry } from '#shared/billing/billing-calls.ts'
import { call, Refused } from '../../api/call.ts'

const attempts = 6
const pauseMs = 1_000

/** The payments a person had made before this one, by their numbers. */
export type PaidBefore = readonly number[]

/** What was paid for so far; nothing where it cannot be told. */
export async function listPaid(): Promise<PaidBefore> {
  const { entries } = await call('getBillingHistory').catch(() => ({ entries: [] as BillingEntry[] }))
  return entries.filter(({ status }) => status === 'paid').map(({ id }) => id)
}

/**
 * Has our server hear of a payment that went through: asked for the subscription it asks the provider itself, whether or not
 * the provider has told it by then.
 * @returns whether a plan was paid for that was not before; false when the server did not say so in time, or to nobody signed in
 */
export async function hearOfPayment(planName: string | null, before: PaidBefore): Promise<boolean> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    try {
      await call('getSubscription')
      const { entries } = await call('getBillingHistory')
      const isNew = ({ id, status }: BillingEntry) => status === 'paid' && !before.includes(id)
      if (entries.some((entry) => isNew(entry) && (planName === null || entry.planName === planName))) return true
    } catch (error) {
      if (error instanceof Refused && error.status === 401) return false
    }
    if (attempt < attempts) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  return false
}
