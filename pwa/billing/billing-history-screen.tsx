import type { BillingEntry, BillingHistory } from '#shared/billing/billing-calls.ts'
import { formatCents, wholeDollars } from '#shared/billing/plan.ts'
import { call, useAccount, type questions } from '../sync/index.ts'
import { paths } from '../paths.ts'
import { useAccountAnswer, type AccountQuestion } from '../device/session/account-answers.ts'
import { Alert } from '../ui/alert.tsx'
import { Badge, type BadgeTone } from '../ui/badge.tsx'
import { ButtonLink, TryAgain } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { TitledPage } from '../ui/page/titled-page.tsx'
import { Skeleton } from '../ui/loading.tsx'
import { formatLongDay } from '../ui/page/local-time.ts'
import { LoginRequired } from '../ui/page/login-required.tsx'

const statuses: Record<BillingEntry['status'], { word: string; tone: BadgeTone }> = {
  paid: { word: 'Paid', tone: 'success' },
  pending: { word: 'Pending', tone: 'signal' },
  failed: { word: 'Failed', tone: 'error' },
}

export function BillingHistoryScreen() {
  return (
    <TitledPage
      title="Billing History"
      lead="Every plan you bought, and what it cost."
      width="text"
      back={{ to: paths.manageSubscription, label: 'Manage Subscription' }}
    >
      <LoginRequired>Please log in to view your billing history.</LoginRequired>
      <History />
    </TitledPage>
  )
}

/** Payments are kept in memory only; those shown stay while the server is asked again. */
const payments: AccountQuestion<BillingHistory> = {
  call: (signal) => call('getBillingHistory', { signal }),
  inMemory: 'billing-history',
}

const when: questions.RefetchOptions<BillingHistory> = { reachable: 'always' }

function History() {
  const { answer, isAsking, failure, ask } = useAccountAnswer(payments, when)
  if (answer) return <Entries history={answer} />
  if (failure && !isAsking) return <NotLoaded failure={failure} onRetry={() => void ask()} />
  return (
    <Card padding="none">
      <Skeleton shape="row" count={2} label="Loading your billing history" />
    </Card>
  )
}

function Entries({ history: { sample, entries } }: { history: BillingHistory }) {
  if (entries.length === 0) {
    return (
      <Card>
        <EmptyState
          illustration="inbox"
          title="No Billing History"
          action={<ButtonLink to={paths.subscription}>View Subscription Plans</ButtonLink>}
        >
          What you pay for a plan shows here.
        </EmptyState>
      </Card>
    )
  }
  return (
    <>
      {sample && (
        <Alert className="mb-4" variant="quiet" title="Sample data">
          This is a demo, and nothing was paid yet: these lines show what the page looks like.
        </Alert>
      )}
      <ul className="flex flex-col gap-3">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
    </>
  )
}

function Entry({ entry: { planName, date, promoCode, amount, status, refunded, disputed } }: { entry: BillingEntry }) {
  const { word, tone } = statuses[status]
  return (
    <Card as="li" padding="tight">
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <h2 className="text-lg">{planName}</h2>
          <p className="text-sm text-muted">{formatLongDay(date)}</p>
          {promoCode && (
            <p className="text-sm text-muted">
              Promo code <span className="font-medium">{promoCode}</span>
            </p>
          )}
          {refunded !== undefined && <p className="text-sm text-muted">{formatCents(refunded)} given back</p>}
        </div>
        <div className="flex shrink-0 flex-col items-end gap-1.5">
          <p className="text-xl font-semibold tabular-nums">{wholeDollars(amount)}</p>
          <Badge tone={tone}>{word}</Badge>
          {disputed && <Badge tone="error">Disputed</Badge>}
        </div>
      </div>
    </Card>
  )
}

function NotLoaded({ failure, onRetry }: { failure: questions.Failure; onRetry: () => void }) {
  const { subscription, plan } = useAccount() ?? {}
  return (
    <div className="flex flex-col gap-4">
      <Alert
        variant="signal"
        title={`The list of payments ${failure.kind === 'unreachable' ? 'needs a connection' : 'could not be loaded'}`}
        action={<TryAgain onClick={onRetry} />}
      >
        {failure.reason}
        {failure.kind === 'unreachable' && ' It shows here as soon as there is one.'}
      </Alert>
      {subscription && plan && (
        <Card padding="tight">
          <p className="text-sm text-muted">On this device</p>
          <p>
            {plan.name}, since {formatLongDay(subscription.startDate)}
          </p>
        </Card>
      )}
    </div>
  )
}
