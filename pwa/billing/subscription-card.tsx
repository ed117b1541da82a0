import { CircleCheck, CircleX, Clock } from 'lucide-react'
import { Link } from 'react-router-dom'
import type { AccountDocument } from '#shared/sync/replication-calls.ts'
import { isUnlimited, usageText } from '#shared/billing/plan.ts'
import { planNames, subscriptionState, type SubscriptionState } from '#shared/billing/subscription-state.ts'
import { formatLongDay } from '../ui/page/local-time.ts'
import { useKeptOffer } from './plans.ts'
import { paths } from '../paths.ts'
import { Badge, type BadgeTone } from '../ui/badge.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Card, type CardTone } from '../ui/card.tsx'
import { ProgressBar } from '../ui/figures.tsx'

export const badgeTones: Record<SubscriptionState['name'], BadgeTone> = {
  active: 'success',
  'expires-soon': 'signal',
  expired: 'error',
}

/** Shows the name that the plan was bought under, and the one on the profile. */
export function PlanNames({ plan }: { plan: Parameters<typeof planNames>[0] }) {
  const { name, tier } = planNames(plan)
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {name !== null && <span>{name}</span>}
      <Badge tone="quiet">{tier}</Badge>
    </span>
  )
}

/** It is false only while an unlimited plan can be used. */
export function offersMore({ plan, canCreateEvent }: Pick<AccountDocument, 'plan' | 'canCreateEvent'>): boolean {
  return plan === null || !isUnlimited(plan) || !canCreateEvent.canCreate
}

interface SubscriptionView {
  readonly state: SubscriptionState
  readonly endText: string
}

/** While another plan with events left outlasts the one shown, nothing expires soon. */
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

/** An invalid date counts as none. */
function dateOrNull(instant: string | null | undefined): string | null {
  return instant && !Number.isNaN(Date.parse(instant)) ? instant : null
}

function ownEndText(ownEnd: string | null, lastEnd: string | null, now: Date): string {
  if (ownEnd === null) return 'No expiration'
  const own = `${Date.parse(ownEnd) > now.getTime() ? 'Until' : 'Ended'} ${formatLongDay(ownEnd)}`
  if (lastEnd === null) return `${own}; another plan of yours has no expiration`
  return lastEnd > ownEnd ? `${own}, then another plan until ${formatLongDay(lastEnd)}` : own
}

const cardTones: Record<SubscriptionState['name'], CardTone> = {
  active: 'plain',
  'expires-soon': 'signal',
  expired: 'error',
}

const icons = { active: CircleCheck, 'expires-soon': Clock, expired: CircleX } as const

const renewals: Record<SubscriptionState['name'], string> = {
  active: 'Upgrade Plan',
  'expires-soon': 'Extend Subscription',
  expired: 'Renew Subscription',
}

export function SubscriptionCard(props: { account: Omit<AccountDocument, 'key' | 'version' | 'user'>; now: Date }) {
  const { account, now } = props
  useKeptOffer()
  const { subscription, plan, canCreateEvent } = account
  if (!subscription || !plan) {
    return (
      <Card title="No Active Subscription">
        <p className="text-muted">Choose a plan to publish events and find Beacons for them.</p>
        <div className="mt-4">
          <ButtonLink to={paths.pricing} variant="secondary">
            See Plans
          </ButtonLink>
        </div>
      </Card>
    )
  }
  const { state, endText } = subscriptionView(account, now)
  const Icon = icons[state.name]
  return (
    <Card
      title={<PlanNames plan={plan} />}
      tone={cardTones[state.name]}
      aside={
        <Badge tone={badgeTones[state.name]} icon={<Icon className="size-4" />}>
          {state.label}
        </Badge>
      }
    >
      {isUnlimited(plan) ? (
        <p>{usageText(subscription.eventsUsed, plan)}</p>
      ) : (
        <ProgressBar
          label="Events"
          value={Math.min(subscription.eventsUsed, plan.eventLimit)}
          max={plan.eventLimit}
          figures={usageText(subscription.eventsUsed, plan)}
        />
      )}
      <p className={`mt-2 text-sm ${state.name === 'active' ? 'text-muted' : 'font-medium'}`}>{endText}</p>
      {!canCreateEvent.canCreate && (
        <p className="mt-3">
          <span className="font-semibold">Limit reached.</span> {canCreateEvent.reason}
        </p>
      )}
      {(state.name !== 'active' || !canCreateEvent.canCreate) && (
        <div className="mt-4">
          <ButtonLink to={paths.pricing} variant={state.name === 'active' ? 'secondary' : 'primary'}>
            {renewals[state.name]}
          </ButtonLink>
        </div>
      )}
      <Link
        to={paths.manageSubscription}
        className="mt-2 -mb-2 inline-flex min-h-11 items-center text-sm underline underline-offset-4"
      >
        Manage Subscription
      </Link>
    </Card>
  )
}
