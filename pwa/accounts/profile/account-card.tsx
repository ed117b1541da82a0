import type { User } from '#shared/accounts/account-calls.ts'
import { planNames, tierLabel, tierOfPlan } from '#shared/billing/subscription-state.ts'
import { hasPlans } from '../../device/has-plans.ts'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { initialsOf } from '../../ui/initials.ts'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { formatLongDay } from '../../ui/page/local-time.ts'
import { UnconfirmedEmail } from '../unconfirmed-email.tsx'

interface PlanTerm {
  readonly tier: User['subscriptionTier']
  /** The specification has these labels (section 2); null means that there is no plan. */
  readonly endLabel: 'Renewal Date' | 'Expires On' | null
  /** This is an ISO instant; null means that the plan does not expire. */
  readonly endDate: string | null
}

/** A plan known to this device may have ended since. */
export function planTerm(
  { subscriptionTier: tier, subscriptionEndDate: endDate }: Pick<User, 'subscriptionTier' | 'subscriptionEndDate'>,
  now: Date,
): PlanTerm {
  const isOver = endDate !== null && Date.parse(endDate) <= now.getTime()
  if (tier === 'none' || isOver) return { tier: 'none', endLabel: null, endDate: null }
  return { tier, endLabel: tierLabel(tier) === 'Premium Plan' ? 'Renewal Date' : 'Expires On', endDate }
}

/** `plan` is the one that this device knows of; the account's best plan may be another one, which has no name here. */
export function planNameOf(tier: User['subscriptionTier'], plan: { id: number; name: string } | null): string | null {
  return plan !== null && tierOfPlan(plan.id) === tier ? planNames(plan).name : null
}

export function AccountCard(props: { user: User; plan: Parameters<typeof planNameOf>[1]; now: Date }) {
  const { user, plan, now } = props
  const { tier, endLabel, endDate } = planTerm(user, now)
  const planName = planNameOf(tier, plan)
  return (
    <Card
      as="section"
      aria-labelledby="account"
      footer={
        <div className="flex flex-wrap gap-3">
          {hasPlans() && (
            <>
              <ButtonLink to={paths.manageSubscription} variant="secondary">
                Manage Subscription
              </ButtonLink>
              <ButtonLink to={paths.billingHistory} variant="secondary">
                Billing History
              </ButtonLink>
            </>
          )}
          <ButtonLink to={paths.accountSettings} variant="secondary">
            Account Settings
          </ButtonLink>
        </div>
      }
    >
      <div className="mb-5 flex flex-wrap items-center gap-4">
        <Avatar initials={initialsOf([user.username], 2)} size="large" tone="lamp" />
        <div className="min-w-0 flex-1">
          <h2 id="account" className="text-2xl break-words">
            {user.username}
          </h2>
          {hasPlans() && (
            <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
              {planName !== null && <span>{planName}</span>}
              <Badge tone={tier === 'none' ? 'quiet' : 'signal'}>{tierLabel(tier)}</Badge>
            </p>
          )}
        </div>
      </div>
      <DefinitionList
        columns
        items={[
          { term: 'Email', detail: user.email },
          { term: 'Organization', detail: user.organizationName ?? '—' },
          ...(endLabel === null || !hasPlans()
            ? []
            : [{ term: endLabel, detail: endDate === null ? 'No expiration' : formatLongDay(endDate) }]),
          { term: 'Member since', detail: formatLongDay(user.createdAt) },
        ]}
      />
      <div className="mt-5 empty:hidden">
        <UnconfirmedEmail user={user} />
      </div>
    </Card>
  )
}
