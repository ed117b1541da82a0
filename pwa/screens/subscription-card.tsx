import type { AccountDocument } from '#shared/api/replication.ts'
import { formatDate } from '#shared/domain/date-range.ts'
import { todayIn } from '#shared/domain/event-time.ts'
import { isUnlimited, usageText } from '#shared/domain/plan.ts'
import { subscriptionState } from '#shared/domain/subscription-state.ts'
import type { SubscriptionState } from '#shared/domain/subscription-state.ts'
import { paths } from '../paths.ts'
import { Badge } from '../ui/badge.tsx'
import type { BadgeTone } from '../ui/badge.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Card, CardTitle } from '../ui/card.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'

const tones: Record<SubscriptionState['name'], BadgeTone> = {
  active: 'success',
  'expires-soon': 'signal',
  expired: 'error',
}

function endText({ name, daysLeft }: SubscriptionState, endDate: string | null): string {
  if (daysLeft === null || endDate === null) return 'No expiration'
  const day = formatDate(todayIn(Intl.DateTimeFormat().resolvedOptions().timeZone, new Date(endDate)))
  if (name === 'expired') return `Ended ${day}`
  return name === 'expires-soon'
    ? `${daysLeft === 1 ? '1 day' : `${daysLeft} days`} left, until ${day}`
    : `Until ${day}`
}

/** The organizer's plan: what is used, until when, and what to do when nothing more can be created. */
export function SubscriptionCard({
  account,
  now,
}: {
  account: Pick<AccountDocument, 'subscription' | 'plan' | 'canCreateEvent'>
  now: Date
}) {
  const { subscription, plan, canCreateEvent } = account
  if (!subscription || !plan) {
    return (
      <Card as="section" aria-labelledby="subscription-status">
        <CardTitle id="subscription-status">No Active Subscription</CardTitle>
        <p className="text-muted">{canCreateEvent.reason}</p>
        <div className="mt-4">
          <ButtonLink to={paths.pricing} variant="secondary">
            See Plans
          </ButtonLink>
        </div>
      </Card>
    )
  }
  const state = subscriptionState(subscription.endDate, now)
  return (
    <Card as="section" aria-labelledby="subscription-status">
      <CardTitle id="subscription-status" aside={<Badge tone={tones[state.name]}>{state.label}</Badge>}>
        {plan.name}
      </CardTitle>
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
      <p className="mt-2 text-sm text-muted">{endText(state, subscription.endDate)}</p>
      {!canCreateEvent.canCreate && (
        <p className="mt-3">
          <span className="font-semibold">Limit reached.</span> {canCreateEvent.reason}
        </p>
      )}
      {(state.name !== 'active' || !canCreateEvent.canCreate) && (
        <div className="mt-4">
          <ButtonLink to={paths.pricing} variant="secondary">
            {state.name === 'expired'
              ? 'Renew Subscription'
              : state.name === 'expires-soon'
                ? 'Extend Subscription'
                : 'Upgrade Plan'}
          </ButtonLink>
        </div>
      )}
    </Card>
  )
}
