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
