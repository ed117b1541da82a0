import type { User } from '#shared/accounts/account-calls.ts'
import { tierLabel } from '#shared/billing/subscription-state.ts'
import { hasPlans } from '../../device/has-plans.ts'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { formatLongDay } from '../../ui/page/local-time.ts'
import { UnconfirmedEmail } from '../unconfirmed-email.tsx'

interface PlanTerm {
  readonly tier: User['subscriptionTier']
  /** Specification, section 2; null without a plan. */
  readonly endLabel: 'Renewal Date' | 'Expires On' | null
  /** An ISO instant; null for no expiration. */
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

export function AccountCard({ user, now }: { user: User; now: Date }) {
  const { tier, endLabel, endDate } = planTerm(user, now)
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
        <Avatar initials={user.username.slice(0, 2)} size="large" tone="lamp" />
        <div className="min-w-0 flex-1">
          <h2 id="account" className="text-2xl break-words">
            {user.username}
          </h2>
          {hasPlans() && (
            <div className="mt-1">
              <Badge tone={tier === 'none' ? 'quiet' : 'signal'}>{tierLabel(tier)}</Badge>
            </div>
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
