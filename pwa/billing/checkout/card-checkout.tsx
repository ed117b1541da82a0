import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Plan } from '#shared/billing/billing-calls.ts'
import { chargedCents } from '#shared/billing/money.ts'
import { OrderTotal } from '../order-total.tsx'
import type { AppliedPromo } from '../plan-order.ts'
import { PromoBox } from '../promo-box.tsx'
import { paths } from '../../paths.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card, CardTitle } from '../../ui/card.tsx'
import { Page } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.ts'
import { CardForm } from './card-form.tsx'
import { forgetPayment, notConnected, rememberedPayment } from './card-payment.ts'
import { CardFormShape, columns } from './checkout-shape.tsx'
import { hearOfPayment, type PaidBefore } from './hear-of-payment.ts'
import { takeFreePlan } from './payment-intent.ts'
import { PaymentSuccessful, tellOfPayment } from './payment-successful.tsx'
import { PlanSummary } from './plan-summary.tsx'
import { useNoNetwork } from './use-no-network.ts'
import { usePreparation, type Preparation } from './use-preparation.ts'

/** One plan, its price with a promo code, and the card it is paid with. */
export function CardCheckout({
  plan,
  email,
  publishableKey,
  paidBefore,
  promoCode,
}: {
  plan: Plan
  email: string
  publishableKey: string | null
  paidBefore: PaidBefore
  promoCode: string | null
}) {
  const noNetwork = useNoNetwork()
  const [promo, setPromo] = useState<AppliedPromo | null>(null)
  const [promoAsked, setPromoAsked] = useState(promoCode === null)
  const [isPaying, setPaying] = useState(false)
  const [paid, setPaid] = useState<'no' | 'active' | 'unheard'>('no')
  const isFree = promoAsked && chargedCents(plan.price, promo?.discount ?? 0) === 0
  const order = promoAsked && !isFree ? { planId: plan.id, promoCode: promo?.code ?? null } : null
  const [preparation, prepareAgain] = usePreparation(order, publishableKey)

  const isFinishing = useRef(false)
  const finish = async ({ isActive }: { isActive: boolean }) => {
    if (isFinishing.current) return
    isFinishing.current = true
    setPaying(true)
    const before = rememberedPayment()?.paidBefore ?? paidBefore
    const active = isActive || (await hearOfPayment(plan.name, before))
    forgetPayment()
    setPaid(active ? 'active' : 'unheard')
    if (active && isFree) toast({ title: 'Free subscription activated!' })
    else if (active) tellOfPayment()
  }
  const look = useEffectEvent((found: Preparation) => {
    if (found.state === 'paid') void finish(found)
  })
  useEffect(() => look(preparation), [preparation])

  if (paid === 'active' || paid === 'unheard') return <PaymentSuccessful active={paid === 'active'} />
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
        <Card as="section" aria-labelledby="payment">
          <CardTitle id="payment">Payment</CardTitle>
          <p className="-mt-2 mb-4 text-sm break-words text-muted">For the account {email}</p>
          <div className="flex flex-col gap-4">
            {noNetwork && (
              <Alert variant="signal" title="No connection right now">
                <output>Paying needs a connection. What you chose stays here meanwhile.</output>
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
      <Alert
        variant="destructive"
        title={message}
        action={
          <Button variant="secondary" onClick={onAgain}>
            Try Again
          </Button>
        }
      >
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

/** A plan that a promo code makes free is taken by a press, never by opening a page. */
function FreePlan({ plan, promo, onTaken }: { plan: Plan; promo: AppliedPromo | null; onTaken: () => void }) {
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [signedOut, setSignedOut] = useState(false)
  const take = async () => {
    setPending(true)
    setProblem(null)
    const answer = await takeFreePlan({ planId: plan.id, promoCode: promo?.code ?? null })
    if (answer.kind === 'active') {
      onTaken()
      return
    }
    setPending(false)
    setSignedOut(answer.kind === 'signed-out')
    if (answer.kind === 'signed-out') return
    const message = answer.kind === 'refused' ? answer.message : notConnected
    setProblem(message)
    toast({ variant: 'destructive', title: 'Subscription failed', description: message })
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

/** The way back to the plans. */
function CancelLink() {
  return (
    <ButtonLink to={paths.pricing} variant="ghost" size="large" className="max-sm:w-full">
      Cancel
    </ButtonLink>
  )
}
