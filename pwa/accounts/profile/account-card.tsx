import type { User } from '#shared/accounts/account-calls.ts'
import { tierLabel } from '#shared/billing/tier.ts'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { formatLongDay } from '../../page/local-time.ts'
import { UnconfirmedEmail } from '../unconfirmed-email.tsx'
import { planTerm } from './plan-term.ts'

/** Who is signed in and on which plan. */
export function AccountCard({ user, now }: { user: User; now: Date }) {
  const { tier, endLabel, endDate } = planTerm(user, now)
  return (
    <Card
      as="section"
      aria-labelledby="account"
      footer={
        <div className="flex flex-wrap gap-3">
          <ButtonLink to={paths.manageSubscription} variant="secondary">
            Manage Subscription
          </ButtonLink>
          <ButtonLink to={paths.billingHistory} variant="secondary">
            Billing History
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
          <div className="mt-1">
            <Badge tone={tier === 'none' ? 'quiet' : 'signal'}>{tierLabel(tier)}</Badge>
          </div>
        </div>
      </div>
      <DefinitionList
        columns
        items={[
          { term: 'Email', detail: user.email },
          { term: 'Organization', detail: user.organizationName ?? '—' },
          ...(endLabel === null
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
