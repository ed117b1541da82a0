import { Check } from 'lucide-react'
import type { AccountDocument } from '#shared/sync/replication-calls.ts'
import type { Plan } from '#shared/billing/billing-calls.ts'
import { wholeDollars, isMostPopular, planFeatures, unitLabel } from '#shared/billing/plan.ts'
import { subscriptionState, tierOfPlan } from '#shared/billing/subscription-state.ts'
import { loadOffer, useOffer, type Offer } from './plans.ts'
import { paths } from '../paths.ts'
import { useAccount } from '../sync/index.ts'
import { useSession } from '../device/session/session.ts'
import { Alert } from '../ui/alert.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button, ButtonLink, TryAgain } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { SkeletonLine } from '../ui/loading.tsx'
import { useNow } from '../ui/page/use-now.ts'

export function PlansFailed() {
  return (
    <Alert
      variant="destructive"
      title="Unable to load subscription plans."
      action={<TryAgain onClick={() => void loadOffer()} />}
    >
      The server did not answer. The plans show here as soon as it does.
    </Alert>
  )
}

export function PlansBlock() {
  const { status, offer } = useOffer()
  const { user } = useSession()
  const account = useAccount()
  const now = useNow()
  if (status === 'failed') return <PlansFailed />
  return (
    <div>
      {status === 'loading' && <output className="sr-only">Loading plans</output>}
      <ul className="grid gap-5 lg:grid-cols-3">
        {status === 'ready'
          ? offer.plans.map((plan) => (
              <PlanCard
                key={plan.id}
                plan={plan}
                mode={offer.mode}
                signedIn={user !== null}
                holding={user === null ? 'none' : holdingOf(plan, account, now)}
              />
            ))
          : [4, 5, 7].map((lines) => <PlanShape key={lines} lines={lines} />)}
      </ul>
      {status === 'ready' && offer.mode === 'demo' && (
        <p className="mt-5 text-sm font-medium text-signal">Demo: no card is charged</p>
      )}
    </div>
  )
}

/** `current` is the user's plan, and `settled` one that there is no reason to take again. */
type Holding = 'none' | 'current' | 'settled'

function holdingOf(plan: Plan, account: AccountDocument | null, now: Date): Holding {
  if (!account || account.user.subscriptionTier !== tierOfPlan(plan.id)) return 'none'
  const { name } = subscriptionState(account.user.subscriptionEndDate, now)
  if (name === 'expired') return 'none'
  return name === 'active' && account.canCreateEvent.canCreate ? 'settled' : 'current'
}

function PlanCard(props: { plan: Plan; mode: Offer['mode']; signedIn: boolean; holding: Holding }) {
  const { plan, mode, signedIn, holding } = props
  const popular = isMostPopular(plan)
  const titleId = `plan-${plan.id}`
  return (
    <Card
      as="li"
      aria-labelledby={titleId}
      className={`flex flex-col [&>div]:flex [&>div]:flex-1 [&>div]:flex-col ${popular ? 'border-primary ring-1 ring-primary shadow-lift' : ''}`}
    >
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
        <h2 id={titleId} className="text-xl">
          {plan.name}
        </h2>
        <span className="flex flex-wrap gap-2">
          {popular && <Badge tone="strong">Most Popular</Badge>}
          {holding !== 'none' && <Badge tone="success">Current Plan</Badge>}
        </span>
      </div>
      <p className="mt-3 flex flex-wrap items-baseline gap-x-2">
        <span className="text-4xl font-semibold tracking-tight tabular-nums">{wholeDollars(plan.price)}</span>
        <span className="text-muted">{unitLabel(plan)}</span>
      </p>
      <p className="mt-2 text-muted">{plan.description}</p>
      <ul className="mt-5 mb-6 flex flex-col gap-2.5">
        {planFeatures(plan).map((feature) => (
          <li key={feature} className="flex gap-2.5">
            <Check className="mt-1 size-4 shrink-0 text-signal" strokeWidth={2.5} />
            {feature}
          </li>
        ))}
      </ul>
      <div className="mt-auto">
        <PlanAction plan={plan} mode={mode} signedIn={signedIn} settled={holding === 'settled'} popular={popular} />
      </div>
    </Card>
  )
}

function PlanAction(props: { plan: Plan; mode: Offer['mode']; signedIn: boolean; settled: boolean; popular: boolean }) {
  const { plan, mode, signedIn, settled, popular } = props
  const look = { wide: true, size: 'large', variant: popular ? 'primary' : 'secondary' } as const
  const naming = { 'aria-describedby': `plan-${plan.id}` }
  if (!signedIn) {
    return (
      <ButtonLink {...look} {...naming} to={`${paths.auth}#sign-up`} state={{ from: paths.checkout(plan.id) }}>
        Sign Up to Subscribe
      </ButtonLink>
    )
  }
  if (settled) {
    return (
      <Button {...look} {...naming} disabled>
        Get Started
      </Button>
    )
  }
  // The checkout is a document of its own.
  return (
    <ButtonLink {...look} {...naming} to={paths.checkout(plan.id)} reloadDocument={mode === 'live'}>
      Get Started
    </ButtonLink>
  )
}

function PlanShape({ lines }: { lines: number }) {
  return (
    <Card as="li" aria-hidden="true">
      <SkeletonLine className="mt-2 h-5 w-1/2" />
      <SkeletonLine className="mt-6 h-9 w-2/3" />
      <SkeletonLine className="mt-5" />
      <SkeletonLine className="mt-3 w-3/4" />
      <div className="mt-8 mb-8 flex flex-col gap-4">
        {Array.from({ length: lines }, (_, line) => line).map((line) => (
          <SkeletonLine key={line} className="h-4 w-2/3" />
        ))}
      </div>
      <SkeletonLine className="h-13" />
    </Card>
  )
}
