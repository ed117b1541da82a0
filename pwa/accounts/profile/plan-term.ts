import type { User } from '#shared/accounts/account-calls.ts'
import { tierLabel } from '#shared/billing/tier.ts'

export interface PlanTerm {
  readonly tier: User['subscriptionTier']
  /** Specification, section 2: Renewal Date for premium, Expires On otherwise; null without a plan. */
  readonly endLabel: 'Renewal Date' | 'Expires On' | null
  /** An ISO instant; null for no expiration. */
  readonly endDate: string | null
}

/** The plan as the profile shows it. What the phone last heard of may have ended since. */
export function planTerm(
  { subscriptionTier: tier, subscriptionEndDate: endDate }: Pick<User, 'subscriptionTier' | 'subscriptionEndDate'>,
  now: Date,
): PlanTerm {
  const isOver = endDate !== null && Date.parse(endDate) <= now.getTime()
  if (tier === 'none' || isOver) return { tier: 'none', endLabel: null, endDate: null }
  return { tier, endLabel: tierLabel(tier) === 'Premium Plan' ? 'Renewal Date' : 'Expires On', endDate }
}
