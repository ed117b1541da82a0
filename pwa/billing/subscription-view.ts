import type { AccountDocument } from '#shared/sync/replication-calls.ts'
import { isUnlimited } from '#shared/billing/plan.ts'
import { subscriptionState, type SubscriptionState } from '#shared/billing/subscription-state.ts'
import type { BadgeTone } from '../ui/badge.tsx'
import { formatLongDay } from '../page/local-time.ts'

export const badgeTones: Record<SubscriptionState['name'], BadgeTone> = {
  active: 'success',
  'expires-soon': 'signal',
  expired: 'error',
}

/** Whether another plan gives more than what there is: always, but for one without a limit that can be used. */
export function offersMore({ plan, canCreateEvent }: Pick<AccountDocument, 'plan' | 'canCreateEvent'>): boolean {
  return plan === null || !isUnlimited(plan) || !canCreateEvent.canCreate
}

export interface SubscriptionView {
  readonly state: SubscriptionState
  /** 'Until March 1, 2027'. */
  readonly endText: string
}

/**
 * How long the organizer can go on. Plans stand side by side: while another one with events left runs on after the one that is
 * shown, nothing expires soon.
 */
export function subscriptionView(
  { subscription, canCreateEvent, canCreateUntil }: Omit<AccountDocument, 'key' | 'version' | 'user' | 'plan'>,
  now: Date,
): SubscriptionView {
  const ownEnd = dateOrNull(subscription?.endDate)
  const lastEnd = canCreateEvent.canCreate ? (canCreateUntil ?? null) : ownEnd
  const state = subscriptionState(lastEnd, now)
  if (ownEnd === null || state.daysLeft === null) return { state, endText: ownEndText(ownEnd, lastEnd, now) }
  const day = formatLongDay(ownEnd)
  if (state.name === 'expired') return { state, endText: `Ended ${day}` }
  if (state.name === 'expires-soon')
    return {
      state,
      endText: `${state.daysLeft === 1 ? '1 day' : `${state.daysLeft} days`} left, until ${formatLongDay(lastEnd ?? ownEnd)}`,
    }
  return { state, endText: ownEndText(ownEnd, lastEnd, now) }
}

/** An end that is no date is none, so that no screen shows one. */
function dateOrNull(instant: string | null | undefined): string | null {
  return instant && !Number.isNaN(Date.parse(instant)) ? instant : null
}

function ownEndText(ownEnd: string | null, lastEnd: string | null, now: Date): string {
  if (ownEnd === null) return 'No expiration'
  const own = `${Date.parse(ownEnd) > now.getTime() ? 'Until' : 'Ended'} ${formatLongDay(ownEnd)}`
  if (lastEnd === null) return `${own}; another plan of yours has no expiration`
  return lastEnd > ownEnd ? `${own}, then another plan until ${formatLongDay(lastEnd)}` : own
}
