import { CircleCheck, CircleX, Clock } from 'lucide-react'
import { Link } from 'react-router-dom'
import type { AccountDocument } from '#shared/sync/replication-calls.ts'
import { isUnlimited, usageText } from '#shared/billing/plan.ts'
import type { SubscriptionState } from '#shared/billing/subscription-state.ts'
import { paths } from '../paths.ts'
import { Badge } from '../ui/badge.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Card, CardTitle } from '../ui/card.tsx'
import type { CardTone } from '../ui/card.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import { badgeTones, subscriptionView } from './subscription-view.ts'

const cardTones: Record<SubscriptionState['name'], CardTone> = {
  active: 'plain',
  'expires-soon': 'signal',
  expired: 'error',
}

const marks = { active: CircleCheck, 'expires-soon': Clock, expired: CircleX } as const

const renewals: Record<SubscriptionState['name'], string> = {
  active: 'Upgrade Plan',
  'expires-soon': 'Extend Subscription',
  expired: 'Renew Subscription',
}

/** The organizer's plan: what is used, until when, and what to do when nothing more can be created. */
export function SubscriptionCard({
  account,
  now,
}: {
  account: Omit<AccountDocument, 'key' | 'version' | 'user'>
  now: Date
}) {
  const { subscription, plan, canCreateEvent } = account
  if (!subscription || !plan) {
    return (
      <Card as="section" aria-labelledby="subscription-status">
        <CardTitle id="subscription-status">No Active Subscription</CardTitle>
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
  const Mark = marks[state.name]
  return (
    <Card as="section" tone={cardTones[state.name]} aria-labelledby="subscription-status">
      <CardTitle
        id="subscription-status"
        aside={
          <Badge tone={badgeTones[state.name]} icon={<Mark aria-hidden="true" className="size-4" />}>
            {state.label}
          </Badge>
        }
      >
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
