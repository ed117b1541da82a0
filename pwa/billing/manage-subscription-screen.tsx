import { CircleCheck, CircleX } from 'lucide-react'
import type { AccountDocument } from '#shared/sync/replication-calls.ts'
import { isUnlimited, usageText } from '#shared/billing/plan.ts'
import { paths } from '../paths.ts'
import { useAccount } from '../sync/index.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { TitledPage } from '../ui/page/titled-page.tsx'
import { Skeleton } from '../ui/loading.tsx'
import { formatLongDay } from '../ui/page/local-time.ts'
import { LoginRequired } from '../ui/page/login-required.tsx'
import { badgeTones, offersMore, PlanNames, subscriptionView } from './subscription-card.tsx'
import { useNow } from '../ui/page/use-now.ts'

export function ManageSubscriptionScreen() {
  const account = useAccount()
  return (
    <TitledPage
      title="Manage Subscription"
      width="text"
      back={{ to: paths.dashboard, label: 'Dashboard' }}
      titleAside={
        <ButtonLink to={paths.billingHistory} variant="secondary">
          Billing History
        </ButtonLink>
      }
    >
      <LoginRequired>Please log in to manage your subscription.</LoginRequired>
      {account ? <Managed account={account} /> : <Skeleton shape="card" label="Loading your subscription" />}
    </TitledPage>
  )
}

function Managed({ account }: { account: AccountDocument }) {
  const now = useNow()
  const { subscription, plan, canCreateEvent } = account
  if (!subscription || !plan) {
    return (
      <Card>
        <EmptyState
          illustration="hall"
          title="No Active Subscription"
          action={<ButtonLink to={paths.subscription}>View Plans</ButtonLink>}
        >
          Choose a plan to publish events and find Beacons for them.
        </EmptyState>
      </Card>
    )
  }
  const { state } = subscriptionView(account, now)
  const otherPlans = offersMore(account) ? paths.subscription : paths.pricing
  return (
    <Card
      title={<PlanNames plan={plan} />}
      aside={<Badge tone={badgeTones[state.name]}>{state.label}</Badge>}
      footer={
        <div className="flex flex-wrap items-center gap-3">
          <ButtonLink to={otherPlans} variant="secondary">
            Change Plan
          </ButtonLink>
          <Button variant="danger-quiet" disabled aria-describedby="cancel-note">
            Cancel Subscription
          </Button>
          <p id="cancel-note" className="text-sm text-muted">
            There is nothing to cancel: a plan is paid once and does not renew automatically.
          </p>
        </div>
      }
    >
      <p className="-mt-1 mb-6 text-muted">{plan.description}</p>
      <DefinitionList
        lines
        items={[
          { term: 'Status', detail: state.label },
          {
            term: 'Events',
            detail: isUnlimited(plan)
              ? `${usageText(subscription.eventsUsed, plan)}, without a limit`
              : usageText(subscription.eventsUsed, plan),
          },
          { term: 'Start Date', detail: formatLongDay(subscription.startDate) },
          {
            term: 'End Date',
            detail: subscription.endDate === null ? 'No expiration' : formatLongDay(subscription.endDate),
          },
          { term: 'Promo Code', detail: subscription.promoCode ?? '–' },
        ]}
      />
      <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-box bg-quiet-soft p-4">
        {canCreateEvent.canCreate ? (
          <CircleCheck className="size-5 shrink-0 text-success" />
        ) : (
          <CircleX className="size-5 shrink-0 text-error" />
        )}
        <p className="min-w-0 flex-[1_1_14rem]">
          {canCreateEvent.canCreate ? 'You can create events' : canCreateEvent.reason}
        </p>
        {!canCreateEvent.canCreate && (
          <ButtonLink to={otherPlans} size="small">
            Upgrade Plan
          </ButtonLink>
        )}
      </div>
    </Card>
  )
}
