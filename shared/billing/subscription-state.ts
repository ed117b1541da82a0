/** From the least to the most; a user's tier is the highest of their running plans. */
const tierOrder = ['none', 'single', 'multi', 'unlimited'] as const
export type Tier = (typeof tierOrder)[number]

/** The tier that a plan gives (specification, section 9: plans 1, 2 and 3). */
export function tierOfPlan(planId: number): Tier {
  return tierOrder[planId] ?? 'none'
}

/** The name of a tier as the profile shows it. Old readings of the tiers (pro, premium) are understood too. */
export function tierLabel(tier: string): 'Free Plan' | 'Pro Plan' | 'Premium Plan' {
  if (tier === 'single' || tier === 'multi' || tier === 'pro') return 'Pro Plan'
  if (tier === 'unlimited' || tier === 'premium') return 'Premium Plan'
  return 'Free Plan'
}

/** The tier of someone who holds these plans now: the highest; `none` without any. */
export function tierOf(plans: readonly { readonly tier: Tier }[]): Tier {
  let highest: Tier = 'none'
  for (const { tier } of plans) {
    if (tierOrder.indexOf(tier) > tierOrder.indexOf(highest)) highest = tier
  }
  return highest
}

const dayMs = 86_400_000

/** From this many days left downwards a subscription is said to expire soon (specification, section 9). */
const expiresSoonDays = 7

type SubscriptionStateName = 'active' | 'expires-soon' | 'expired'

export interface SubscriptionState {
  readonly name: SubscriptionStateName
  readonly label: 'Active' | 'Expires Soon' | 'Expired'
  /** Whole days left, rounded up; 0 or less when over; null when it never ends. */
  readonly daysLeft: number | null
}

/** ceil((end − now) / day); null without an end date or with one that is no date, so that no screen shows NaN. */
function daysLeft(endDate: string | null, now: Date): number | null {
  if (endDate === null) return null
  const end = Date.parse(endDate)
  // Adding 0 turns the −0 of the last day's ceiling into 0.
  return Number.isNaN(end) ? null : Math.ceil((end - now.getTime()) / dayMs) + 0
}

/** How a subscription is shown (specification, section 4). `endDate` is an ISO instant, or null for no expiration. */
export function subscriptionState(endDate: string | null, now: Date): SubscriptionState {
  const left = daysLeft(endDate, now)
  if (left === null || left > expiresSoonDays) return { name: 'active', label: 'Active', daysLeft: left }
  if (left > 0) return { name: 'expires-soon', label: 'Expires Soon', daysLeft: left }
  return { name: 'expired', label: 'Expired', daysLeft: left }
}
