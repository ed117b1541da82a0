import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import type { Plan } from '#shared/billing/billing-calls.ts'
import { chargedCents } from '#shared/billing/plan.ts'
import { OrderTotal } from '../order-total.tsx'
import type { AppliedPromo } from '../plan-order.ts'
import { PromoBox } from '../promo-box.tsx'
import { paths } from '../../paths.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button, ButtonLink, TryAgain } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.ts'
import { CardForm } from './card-form.tsx'
import { forgetPayment, notConnected, rememberedPayment } from './card-payment.ts'
import { CancelLink, CardFormShape, columns, PlanSummary } from './checkout-shape.tsx'
import { awaitActivation, type PaidBefore } from './payment-check.ts'
import { takeFreePlan, usePreparation, type Preparation } from './use-preparation.ts'
import { PaymentSuccessful, showPaymentToast } from './payment-outcome.tsx'

function subscribeToNetwork(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}

/** `false` does not prove that there is a network. */
function useNoNetwork(): boolean {
  return useSyncExternalStore(subscribeToNetwork, () => !navigator.onLine)
}

export function CardCheckout(props: {
  plan: Plan
  email: string
  publishableKey: string | null
  paidBefore: PaidBefore
  promoCode: string | null
}) {
  const { plan, email, publishableKey, paidBefore, promoCode } = props
  const noNetwork = useNoNetwork()
  const [promo, setPromo] = useState<AppliedPromo | null>(null)
  const [promoAsked, setPromoAsked] = useState(promoCode === null)
  const [isPaying, setPaying] = useState(false)
  const [paid, setPaid] = useState<'no' | 'active' | 'unconfirmed'>('no')
  const isFree = promoAsked && chargedCents(plan.price, promo?.discount ?? 0) === 0
  const order = promoAsked && !isFree ? { planId: plan.id, promoCode: promo?.code ?? null } : null
  const [preparation, prepareAgain] = usePreparation(order, publishableKey)

  const isFinishing = useRef(false)
  const finish = async ({ isActive }: { isActive: boolean }) => {
    if (isFinishing.current) return
    isFinishing.current = true
    setPaying(true)
    const before = rememberedPayment()?.paidBefore ?? paidBefore
    const active = isActive || (await awaitActivation(plan.name, before))
    forgetPayment()
    setPaid(active ? 'active' : 'unconfirmed')
    if (active && isFree) toast({ title: 'Free subscription activated!' })
    else if (active) showPaymentToast()
  }
  const onPreparation = useEffectEvent((found: Preparation) => {
    if (found.state === 'paid') void finish(found)
  })
  useEffect(() => onPreparation(preparation), [preparation])

  if (paid === 'active' || paid === 'unconfirmed') return <PaymentSuccessful active={paid === 'active'} />
  const amountCents = preparation.state === 'ready' && order ? preparation.amountCents : undefined
  return (
    <Page title="Checkout" back={{ to: paths.pricing, label: 'Pricing' }}>
      <div className={columns}>
        <PlanSummary plan={plan}>
          {/* What is being paid for does not change any more. */}
          <div inert={isPaying} className="mt-4 flex flex-col gap-4 border-t border-base-300 pt-4">
            <PromoBox
              planId={plan.id}
              applied={promo}
              onApplied={setPromo}
              initialCode={promoCode}
              onAnswered={() => setPromoAsked(true)}
            />
            <OrderTotal plan={plan} promo={promo} demo={false} amountCents={amountCents} />
          </div>
        </PlanSummary>
        <Card title="Payment">
          <p className="-mt-2 mb-4 text-sm break-words text-muted">For the account {email}</p>
          <div className="flex flex-col gap-4">
            {noNetwork && (
              <Alert variant="signal" title="No connection right now">
                <output>Paying needs a connection. Your choice stays here until then.</output>
              </Alert>
            )}
            {isFree ? (
              <FreePlan plan={plan} promo={promo} onTaken={() => void finish({ isActive: true })} />
            ) : preparation.state === 'ready' ? (
              <CardForm
                key={preparation.clientSecret}
                {...preparation}
                planId={plan.id}
                paidBefore={paidBefore}
                isPaying={isPaying}
                onPaying={setPaying}
                onPaid={() => void finish({ isActive: false })}
                onBroken={prepareAgain}
              />
            ) : preparation.state === 'failed' ? (
              <Failed message={preparation.message} onAgain={prepareAgain} />
            ) : preparation.state === 'signed-out' ? (
              <SignedOut />
            ) : (
              <>
                <output className="sr-only">Loading the card form</output>
                <CardFormShape />
              </>
            )}
          </div>
        </Card>
      </div>
    </Page>
  )
}

function Failed({ message, onAgain }: { message: string; onAgain: () => void }) {
  return (
    <>
      <Alert variant="destructive" title={message} action={<TryAgain onClick={onAgain} />}>
        {message === notConnected
          ? 'Paying needs a connection. Trying again goes on with the same payment: nothing is charged twice.'
          : 'Your card was not asked for anything.'}
      </Alert>
      <CancelLink />
    </>
  )
}

function SignedOut() {
  return (
    <Alert
      variant="signal"
      title="Please log in to subscribe to a plan."
      action={
        <ButtonLink
          to={paths.auth}
          state={{ from: window.location.pathname + window.location.search }}
          variant="secondary"
        >
          Sign In
        </ButtonLink>
      }
    >
      Your session has ended. You come back here afterwards.
    </Alert>
  )
}

/** A free plan is taken by a press, never by opening a page. */
function FreePlan({ plan, promo, onTaken }: { plan: Plan; promo: AppliedPromo | null; onTaken: () => void }) {
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [signedOut, setSignedOut] = useState(false)
  const take = async () => {
    setPending(true)
    setProblem(null)
    const answer = await takeFreePlan({ planId: plan.id, promoCode: promo?.code ?? null })
    if (answer.state === 'paid') {
      onTaken()
      return
    }
    setPending(false)
    setSignedOut(answer.state === 'signed-out')
    if (answer.state !== 'failed') return
    setProblem(answer.message)
    toast({ variant: 'destructive', title: 'Subscription failed', description: answer.message })
  }
  if (signedOut) return <SignedOut />
  return (
    <>
      <p>With this code the plan costs nothing, and no card is needed.</p>
      {problem !== null && (
        <Alert variant="destructive" title={problem}>
          Nothing was charged. Trying again orders nothing twice.
        </Alert>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          size="large"
          className="flex-[1_1_14rem]"
          pending={pending}
          pendingText="Processing..."
          onClick={() => void take()}
        >
          Activate Free Subscription
        </Button>
        <CancelLink />
      </div>
    </>
  )
}
