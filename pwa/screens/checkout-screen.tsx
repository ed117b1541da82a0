import { useEffect, useState } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router-dom'
import type { Plan } from '#shared/api/billing.ts'
import { wholeDollars } from '#shared/domain/money.ts'
import { durationText, isUnlimited } from '#shared/domain/plan.ts'
import { useObservable } from '../api/observable.ts'
import { reachability } from '../api/reachability.ts'
import { useOffer, type Offer } from '../browse/plans.ts'
import { OrderTotal } from '../forms/order-total.tsx'
import { checkOut } from '../forms/plan-purchase.ts'
import { PromoBox, type AppliedPromo } from '../forms/promo-box.tsx'
import { idFrom, paths } from '../paths.ts'
import { useSession } from '../session/session.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card, CardTitle } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.ts'
import { LoginRequired } from './login-required.tsx'
import { useNewContent } from './new-content.ts'
import { usePageTitle } from './page-title.ts'
import { PlansFailed } from './plans-block.tsx'

/** From the success to the dashboard (specification, section 9). */
const redirectMs = 3_000

const couldNotInitialize = 'Could not initialize payment. Please try again.'

/** Takes a plan: what it is, what it costs, and in demo mode its activation without a card. */
export function CheckoutScreen() {
  usePageTitle('Checkout')
  const { user } = useSession()
  const [search] = useSearchParams()
  const wanted = search.get('planId')
  const { status, offer } = useOffer()
  if (!wanted || !user) return <Navigate to={paths.pricing} replace />
  if (status === 'ready') {
    const plan = offer.plans.find(({ id }) => id === idFrom(wanted))
    if (!plan) return <InvalidPlan />
    return <Checkout key={plan.id} plan={plan} mode={offer.mode} promoCode={search.get('promoCode')} />
  }
  return (
    <Page title="Checkout" width="narrow" back={{ to: paths.pricing, label: 'Pricing' }}>
      {status === 'failed' ? <PlansFailed /> : <Skeleton shape="detail" label="Loading your plan" />}
    </Page>
  )
}

function InvalidPlan() {
  return (
    <Page>
      <EmptyState
        illustration="lost"
        title="Invalid Plan"
        level={1}
        action={<ButtonLink to={paths.pricing}>Back to Pricing</ButtonLink>}
      >
        The plan you selected is not on sale.
      </EmptyState>
    </Page>
  )
}

type Stage = 'ready' | 'processing' | 'paid'

function Checkout({ plan, mode, promoCode }: { plan: Plan; mode: Offer['mode']; promoCode: string | null }) {
  const unreachable = useObservable(reachability) === 'unreachable'
  const [promo, setPromo] = useState<AppliedPromo | null>(null)
  const [stage, setStage] = useState<Stage>('ready')
  const [problem, setProblem] = useState<{ message: string; unanswered?: boolean } | null>(null)
  const demo = mode === 'demo'

  const pay = async () => {
    setStage('processing')
    setProblem(null)
    const result = await checkOut({ planId: plan.id, promoCode: promo?.code ?? null })
    if (result.kind === 'active') {
      setStage('paid')
      toast({
        title: 'Payment Successful',
        description: 'Your payment was successful and your subscription is now active.',
      })
      return
    }
    setStage('ready')
    const unanswered = result.kind === 'unreachable'
    const message = unanswered
      ? 'Could not connect to payment service.'
      : result.kind === 'refused'
        ? result.message
        : couldNotInitialize
    setProblem({ message, unanswered })
    toast({ variant: 'destructive', title: 'Payment Failed', description: message })
  }

  if (stage === 'paid') return <Paid demo={demo} />
  return (
    <Page title="Checkout" width="narrow" back={{ to: paths.pricing, label: 'Pricing' }}>
      <LoginRequired>Please log in to subscribe to a plan.</LoginRequired>
      <div className="flex flex-col gap-5">
        <Card as="section" aria-labelledby="plan-summary">
          <CardTitle id="plan-summary">Plan Summary</CardTitle>
          <DefinitionList
            lines
            items={[
              { term: 'Plan', detail: plan.name },
              { term: 'Price', detail: wholeDollars(plan.price) },
              { term: 'Events', detail: isUnlimited(plan) ? 'Unlimited' : String(plan.eventLimit) },
              { term: 'Duration', detail: durationText(plan.durationDays) },
            ]}
          />
        </Card>
        <Card as="section" aria-labelledby="payment">
          <CardTitle id="payment">Payment</CardTitle>
          <div className="flex flex-col gap-4">
            <PromoBox applied={promo} onApplied={setPromo} initialCode={promoCode} />
            <OrderTotal plan={plan} promo={promo} demo={demo} />
            {demo && (
              <p className="text-sm text-muted">
                This is a demo: the plan becomes active at once, and nobody asks for a card.
              </p>
            )}
            {unreachable && !problem && (
              <Alert variant="signal" title="No connection right now">
                Paying needs a connection. What you chose stays here meanwhile.
              </Alert>
            )}
            {problem && (
              <Alert variant="destructive" title={problem.message}>
                {problem.unanswered
                  ? 'Paying needs a connection. Try again when there is one: nothing is ordered twice.'
                  : 'Nothing was charged.'}
              </Alert>
            )}
            <div className="flex flex-wrap gap-3">
              <Button
                size="large"
                className="flex-[1_1_14rem]"
                pending={stage === 'processing'}
                pendingText="Processing..."
                onClick={() => void pay()}
              >
                {demo ? `Activate ${plan.name}` : 'Continue to Payment'}
              </Button>
              <ButtonLink to={paths.pricing} variant="ghost" size="large" className="max-sm:w-full">
                Cancel
              </ButtonLink>
            </div>
          </div>
        </Card>
      </div>
    </Page>
  )
}

function Paid({ demo }: { demo: boolean }) {
  const navigate = useNavigate()
  useNewContent()
  useEffect(() => {
    const timer = setTimeout(() => void navigate(paths.dashboard, { replace: true }), redirectMs)
    return () => clearTimeout(timer)
  }, [navigate])
  return (
    <Page>
      <EmptyState
        illustration="clear"
        title="Payment Successful!"
        level={1}
        action={<ButtonLink to={paths.dashboard}>Go to Dashboard</ButtonLink>}
      >
        Your subscription is now active. {demo && 'Demo: no card was charged. '}Taking you to your dashboard.
      </EmptyState>
    </Page>
  )
}
