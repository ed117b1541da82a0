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
