/** The order is ascending. */
const tierOrder = ['none', 'single', 'multi', 'unlimited'] as const
export type Tier = (typeof tierOrder)[number]

/** Gives the tiers of plans 1, 2 and 3 (specification, section 9). */
export function tierOfPlan(planId: number): Tier {
  return tierOrder[planId] ?? 'none'
}

/** Analytics are sold with plan 3 alone (specification, section 9). */
export function includesAnalytics(user: { readonly subscriptionTier: string; readonly isAdmin: boolean }): boolean {
  return user.isAdmin || user.subscriptionTier === 'unlimited'
}

/** Older accounts may have the tiers pro and premium. */
export function tierLabel(tier: string): 'Free Plan' | 'Pro Plan' | 'Premium Plan' {
  if (tier === 'single' || tier === 'multi' || tier === 'pro') return 'Pro Plan'
  if (tier === 'unlimited' || tier === 'premium') return 'Premium Plan'
  return 'Free Plan'
}

/**
 * Names what was bought, and what the profile calls it: two names of one thing, which are always shown together. An
 * operator may give a plan the name of its tier, which is then said once.
 */
export function planNames({ id, name }: { readonly id: number; readonly name: string }): {
  readonly name: string | null
  readonly tier: string
} {
  const tier = tierLabel(tierOfPlan(id))
  return { name: name.toLowerCase() === tier.toLowerCase() ? null : name, tier }
}

/** The highest; `none` without plans. */
export function tierOf(plans: readonly { readonly tier: Tier }[]): Tier {
  let highest: Tier = 'none'
  for (const { tier } of plans) {
    if (tierOrder.indexOf(tier) > tierOrder.indexOf(highest)) highest = tier
  }
  return highest
}

const dayMs = 86_400_000

/** A warning is shown from this many days on (specification, section 9). */
const expiresSoonDays = 7

type SubscriptionStateName = 'active' | 'expires-soon' | 'expired'

export interface SubscriptionState {
  readonly name: SubscriptionStateName
  readonly label: 'Active' | 'Expires Soon' | 'Expired'
  /** Days are rounded up. The count is 0 or less when it is over, and null when it never ends. */
  readonly daysLeft: number | null
}

/** ceil((end − now) / day); null also for an invalid date, so that no screen shows NaN. */
function daysLeft(endDate: string | null, now: Date): number | null {
  if (endDate === null) return null
  const end = Date.parse(endDate)
  // The sum turns −0 into 0.
  return Number.isNaN(end) ? null : Math.ceil((end - now.getTime()) / dayMs) + 0
}

/** The specification has these states (section 4). `endDate` is an ISO instant, or null for no expiration. */
export function subscriptionState(endDate: string | null, now: Date): SubscriptionState {
  const left = daysLeft(endDate, now)
  if (left === null || left > expiresSoonDays) return { name: 'active', label: 'Active', daysLeft: left }
  if (left > 0) return { name: 'expires-soon', label: 'Expires Soon', daysLeft: left }
  return { name: 'expired', label: 'Expired', daysLeft: left }
}
