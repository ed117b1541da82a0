import { useEffect, useState } from 'react'
import { Navigate, useLocation, useSearchParams } from 'react-router-dom'
import type { Plan } from '#shared/billing/billing-calls.ts'
import { reachability } from '../sync/index.ts'
import { useObservable } from '../browser/observable.ts'
import { useOffer, type Offer } from './plans.ts'
import { CancelLink, InvalidPlan, PlanSummary } from './checkout/checkout-shape.tsx'
import { couldNotInitialize } from './checkout/payment-check.ts'
import { PaymentSuccessful, showPaymentToast } from './checkout/payment-outcome.tsx'
import { OrderTotal } from './order-total.tsx'
import { checkOut } from './plan-purchase.ts'
import type { AppliedPromo } from './plan-order.ts'
import { PromoBox } from './promo-box.tsx'
import { idFrom, paths } from '../paths.ts'
import { useSession } from '../device/session/session.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, ButtonLink, TryAgain } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/loading.tsx'
import { toast } from '../ui/toast.ts'
import { LoginRequired } from '../ui/page/login-required.tsx'
import { usePageTitle } from '../ui/page/page-title.ts'
import { useReconnected } from './use-reconnected.ts'
import { PlansFailed } from './plans-block.tsx'

/** For demo mode; where cards are charged it leads to the checkout document. */
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
    if (offer.mode === 'live') return <ToCheckoutDocument plan={plan} />
    return <DemoCheckout key={plan.id} plan={plan} mode={offer.mode} promoCode={search.get('promoCode')} />
  }
  return (
    <Page title="Checkout" width="narrow" back={{ to: paths.pricing, label: 'Pricing' }}>
      {status === 'failed' ? <PlansFailed /> : <Skeleton shape="detail" label="Loading your plan" />}
    </Page>
  )
}

/** It is true if the page was loaded for the checkout's own address, instead of the checkout document. */
const wasLoadedHere = () => {
  const [loaded] = performance.getEntriesByType('navigation')
  return loaded !== undefined && new URL(loaded.name).pathname === window.location.pathname
}

/** Forwards links inside the app; where the checkout document could not be loaded, this waits. */
function ToCheckoutDocument({ plan }: { plan: Plan }) {
  const { pathname, search } = useLocation()
  const [waits] = useState(wasLoadedHere)
  const unreachable = useObservable(reachability) === 'unreachable'
  useEffect(() => {
    if (!waits) window.location.replace(pathname + search)
  }, [waits, pathname, search])
  useReconnected(waits && unreachable, () => window.location.reload())
  return (
    <Page title="Checkout" width="narrow" back={{ to: paths.pricing, label: 'Pricing' }}>
      {waits ? (
        <div className="flex flex-col gap-5">
          <Alert
            variant="signal"
            title={unreachable ? 'No connection right now' : 'The checkout could not be opened'}
            action={<TryAgain onClick={() => window.location.reload()} />}
          >
            <output>
              Paying by card needs a connection. Nothing was charged, and your choice stays here until then.
            </output>
          </Alert>
          <PlanSummary plan={plan} />
          <div>
            <ButtonLink to={paths.pricing} variant="ghost" size="large">
              Cancel
            </ButtonLink>
          </div>
        </div>
      ) : (
        <Skeleton shape="detail" label="Loading the checkout" />
      )}
    </Page>
  )
}

type Stage = 'ready' | 'processing' | 'paid'

function DemoCheckout(props: { plan: Plan; mode: Exclude<Offer['mode'], 'live'>; promoCode: string | null }) {
  const { plan, mode, promoCode } = props
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
      showPaymentToast()
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

  if (stage === 'paid') return <PaymentSuccessful active demo={demo} />
  return (
    <Page title="Checkout" width="narrow" back={{ to: paths.pricing, label: 'Pricing' }}>
      <LoginRequired>Please log in to subscribe to a plan.</LoginRequired>
      <div className="flex flex-col gap-5">
        <PlanSummary plan={plan} />
        <Card title="Payment">
          <div className="flex flex-col gap-4">
            <PromoBox planId={plan.id} applied={promo} onApplied={setPromo} initialCode={promoCode} />
            <OrderTotal plan={plan} promo={promo} demo={demo} />
            {demo && (
              <p className="text-sm text-muted">
                This is a demo: the plan becomes active at once, and no card is asked for.
              </p>
            )}
            {unreachable && !problem && (
              <Alert variant="signal" title="No connection right now">
                Paying needs a connection. Your choice stays here until then.
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
              <CancelLink />
            </div>
          </div>
        </Card>
      </div>
    </Page>
  )
}
