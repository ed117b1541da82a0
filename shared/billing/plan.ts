import { formatDate } from '../time/date-range.ts'

export interface PlanTerms {
  /** -1 means unlimited. */
  readonly eventLimit: number
  /** 0 or less means that it does not expire. */
  readonly durationDays: number
}

const unlimitedEvents = -1

export function isUnlimited(plan: Pick<PlanTerms, 'eventLimit'>): boolean {
  return plan.eventLimit === unlimitedEvents
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Writes '1 year', '3 months', '14 days' or 'No expiration' (specification, section 9). */
export function validityText(durationDays: number): string {
  if (durationDays <= 0) return 'No expiration'
  if (durationDays === 365) return '1 year'
  if (durationDays >= 30) return counted(Math.round(durationDays / 30), 'month')
  return counted(durationDays, 'day')
}

/** Names the period of the price, which is 'year' from 365 days on. */
export function periodText(durationDays: number): string {
  if (durationDays >= 365) return 'year'
  if (durationDays >= 30) return 'month'
  return durationDays > 0 ? counted(durationDays, 'day') : 'no expiration'
}

/** 'per event', 'per 3 events', 'per year'. */
export function unitLabel(plan: PlanTerms): string {
  if (isUnlimited(plan)) return `per ${periodText(plan.durationDays)}`
  return plan.eventLimit === 1 ? 'per event' : `per ${plan.eventLimit} events`
}

export function eventLimitText(plan: Pick<PlanTerms, 'eventLimit'>): string {
  return isUnlimited(plan) ? 'Unlimited events' : counted(plan.eventLimit, 'event')
}

/** Writes '1 of 3 events used', or '4 events used' without a limit. */
export function usageText(eventsUsed: number, plan: Pick<PlanTerms, 'eventLimit'>): string {
  if (isUnlimited(plan)) return `${counted(eventsUsed, 'event')} used`
  return `${eventsUsed} of ${counted(plan.eventLimit, 'event')} used`
}

export function isMostPopular(plan: Pick<PlanTerms, 'eventLimit'>): boolean {
  return plan.eventLimit === 3
}

export interface EventAllowance {
  readonly canCreate: boolean
  readonly reason: string | null
}

/**
 * The server's word at `now`: the end of the last subscription is not announced. `canCreateUntil` is an ISO instant,
 * undefined for no such end.
 */
export function allowanceNow(said: EventAllowance, canCreateUntil: string | undefined, now: Date): EventAllowance {
  if (!said.canCreate || canCreateUntil === undefined || Date.parse(canCreateUntil) > now.getTime()) return said
  return { canCreate: false, reason: planReasons.expired(formatDate(canCreateUntil.slice(0, 10))) }
}

/** Writes '365 days' or 'No expiration' for the checkout. */
export function durationText(durationDays: number): string {
  return durationDays <= 0 ? 'No expiration' : counted(durationDays, 'day')
}

/** Plans from 2 on have more features, and plan 3 has all of them (specification, section 9). */
export function planFeatures(plan: PlanTerms & { readonly id: number }): string[] {
  const validity = validityText(plan.durationDays)
  return [
    eventLimitText(plan),
    plan.durationDays <= 0 ? validity : `Valid for ${validity}`,
    'Email notifications',
    'Beacon management',
    ...(plan.id >= 2 ? ['Basic analytics'] : []),
    ...(plan.id === 3 ? ['Advanced analytics', 'Priority support'] : []),
  ]
}

/** The server's refusals and the subscription card use the same texts. */
export const planReasons = {
  none: "You don't have an active subscription.",
  used: (eventLimit: number) =>
    eventLimit === 1
      ? 'You have used the 1 event in your plan.'
      : `You have used all ${eventLimit} events in your plan.`,
  /** The date comes in its long form, 'March 1, 2026'. */
  expired: (date: string) => `Your subscription expired on ${date}.`,
} as const

const exact = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const whole = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

/** Writes amounts that are charged to a card: '$1,234.50'. */
export function formatCents(cents: number): string {
  return exact.format(cents / 100)
}

/** Writes amounts of plans and billing: '$20'. */
export function wholeDollars(cents: number): string {
  return whole.format(cents / 100)
}

/** Computes price − round(price × percent ÷ 100). */
export function discountedCents(priceCents: number, percent: number): number {
  return priceCents - Math.round((priceCents * percent) / 100)
}

/** The payment provider takes nothing smaller. */
export const cardMinimumCents = 50

/** The result is 0 where the discounted price is too small for a card. */
export function chargedCents(priceCents: number, percent: number): number {
  const cents = discountedCents(priceCents, percent)
  return cents < cardMinimumCents ? 0 : cents
}
