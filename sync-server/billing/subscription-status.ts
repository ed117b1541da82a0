import type { Plan, SubscriptionStatus } from '#shared/billing/billing-calls.ts'
import { formatDate } from '#shared/time/date-range.ts'
import { isUnlimited, planReasons } from '#shared/billing/plan.ts'
import { tierOf, type Tier } from '#shared/billing/subscription-state.ts'
import type { SubscriptionPlanRow } from '../db/rows/billing-rows.ts'
import type { HeldSubscription } from './subscription-store.ts'

/** A used-up subscription runs, too. */
function isRunning(subscription: HeldSubscription, now: Date): boolean {
  if (subscription.status !== 'active' || subscription.startDate > now) return false
  return subscription.endDate === null || subscription.endDate > now
}

export function isUsable(subscription: HeldSubscription, now: Date): boolean {
  const { plan } = subscription
  return isRunning(subscription, now) && (isUnlimited(plan) || subscription.eventsUsed < plan.eventLimit)
}

/**
 * The subscription of the next event (the oldest usable); else the newest running one; else the one that ended last.
 */
export function subscriptionStatusOf(held: readonly HeldSubscription[], now: Date): SubscriptionStatus {
  const usable = held.find((candidate) => isUsable(candidate, now))
  if (usable) return { ...shown(usable, null), ...untilLastEnds(held, now) }
  const usedUp = held.findLast((candidate) => isRunning(candidate, now))
  if (usedUp) return shown(usedUp, planReasons.used(usedUp.plan.eventLimit))
  const ended = lastEnded(held, now)
  if (ended) return shown(ended.subscription, planReasons.expired(formatDate(ended.endDate.toISOString().slice(0, 10))))
  return { subscription: null, plan: null, canCreateEvent: { canCreate: false, reason: planReasons.none } }
}

function untilLastEnds(held: readonly HeldSubscription[], now: Date): { canCreateUntil?: string } {
  const ends = held.filter((candidate) => isUsable(candidate, now)).map((candidate) => candidate.endDate)
  if (ends.includes(null)) return {}
  return { canCreateUntil: new Date(Math.max(...ends.map((end) => end?.getTime() ?? 0))).toISOString() }
}

function lastEnded(held: readonly HeldSubscription[], now: Date) {
  return held
    .flatMap((subscription) => {
      const { endDate } = subscription
      return endDate === null || endDate > now ? [] : [{ subscription, endDate }]
    })
    .toSorted((one, other) => one.endDate.getTime() - other.endDate.getTime())
    .at(-1)
}

function shown(subscription: HeldSubscription, reason: string | null): SubscriptionStatus {
  return {
    subscription: {
      id: subscription.id,
      planId: subscription.planId,
      status: subscription.status,
      eventsUsed: subscription.eventsUsed,
      startDate: subscription.startDate.toISOString(),
      endDate: subscription.endDate?.toISOString() ?? null,
      promoCode: subscription.promoCode,
    },
    plan: publicPlan(subscription.plan),
    canCreateEvent: { canCreate: reason === null, reason },
  }
}

export function publicPlan(plan: SubscriptionPlanRow): Plan {
  return {
    id: plan.id,
    name: plan.name,
    description: plan.description,
    price: plan.priceCents,
    eventLimit: plan.eventLimit,
    durationDays: plan.durationDays,
  }
}

/** Finds the highest running tier, and the latest end among its plans; null means no end. */
export function tierAndEnd(held: readonly HeldSubscription[], now: Date): { tier: Tier; endDate: Date | null } {
  const running = held.filter((subscription) => isRunning(subscription, now))
  const tier = tierOf(running.map(({ plan }) => plan))
  const ends = running.filter(({ plan }) => plan.tier === tier).map((subscription) => subscription.endDate)
  if (ends.length === 0 || ends.includes(null)) return { tier, endDate: null }
  return { tier, endDate: new Date(Math.max(...ends.map((end) => end?.getTime() ?? 0))) }
}
