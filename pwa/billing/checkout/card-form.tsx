import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { Stripe, StripeElementsOptionsClientSecret, StripePaymentElementOptions } from '@stripe/stripe-js'
import { useMemo, useRef, useState, type SyntheticEvent } from 'react'
import { formatCents } from '#shared/billing/plan.ts'
import { paths } from '../../paths.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button, TryAgain } from '../../ui/button.tsx'
import { announce } from '../../ui/live-region.tsx'
import { toast } from '../../ui/toast.ts'
import { statusOfPayment, useAppearance } from './provider.ts'
import {
  forgetPayment,
  notConnected,
  outcomeOf,
  outcomeOfStatus,
  rememberPayment,
  type PaymentOutcome,
} from './card-payment.ts'
import { CancelLink, CardFormShape } from './checkout-shape.tsx'
import { couldNotInitialize, type PaidBefore } from './payment-check.ts'

interface CardFormProps {
  readonly stripe: Stripe
  readonly clientSecret: string
  readonly amountCents: number
  readonly planId: number
  readonly paidBefore: PaidBefore
  /** A card is being charged, or our server asked about it. */
  readonly isPaying: boolean
  readonly onPaying: (isPaying: boolean) => void
  readonly onPaid: () => void
  /** It could not be loaded, so everything is prepared again. */
  readonly onBroken: () => void
}

// Cards only: wallets load from more origins than this document's content security policy allows.
const elementOptions: StripePaymentElementOptions = {
  layout: { type: 'accordion', radios: 'never', spacedAccordionItems: false },
  wallets: { applePay: 'never', googlePay: 'never', link: 'never' },
  business: { name: 'Beaconry' },
}

export function CardForm({ stripe, clientSecret, ...rest }: CardFormProps) {
  const appearance = useAppearance()
  const options = useMemo<StripeElementsOptionsClientSecret>(
    () => ({ clientSecret, appearance, loader: 'never' }),
    [clientSecret, appearance],
  )
  return (
    <Elements stripe={stripe} options={options}>
      <Fields clientSecret={clientSecret} {...rest} />
    </Elements>
  )
}

type FormState = 'loading' | 'ready' | 'broken'

function Fields(props: Omit<CardFormProps, 'stripe'>) {
  const { clientSecret, amountCents, planId, paidBefore, isPaying, onPaying, onPaid, onBroken } = props
  const stripe = useStripe()
  const elements = useElements()
  const [form, setForm] = useState<FormState>('loading')
  const [problem, setProblem] = useState<{ message: string; unanswered: boolean } | null>(null)
  const pressed = useRef(false)

  const settle = (outcome: PaymentOutcome) => {
    if (outcome.kind === 'paid') {
      onPaid()
      return
    }
    pressed.current = false
    onPaying(false)
    if (outcome.kind !== 'unanswered') forgetPayment()
    if (outcome.kind === 'incomplete') {
      // The form highlights the field, but its frame cannot speak into this page.
      announce(outcome.message)
      return
    }
    const message = outcome.kind === 'unanswered' ? notConnected : outcome.message
    setProblem({ message, unanswered: outcome.kind === 'unanswered' })
    toast({ variant: 'destructive', title: 'Payment Failed', description: message })
  }

  const pay = async () => {
    // Two presses within one frame both arrive: a state is too late for the second.
    if (pressed.current || !stripe || !elements) return
    pressed.current = true
    onPaying(true)
    setProblem(null)
    rememberPayment({ planId, clientSecret, paidBefore })
    settle(await confirm(stripe, elements, { clientSecret, planId }))
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    void pay()
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      {form === 'broken' ? (
        <Alert variant="destructive" title={notConnected} action={<TryAgain onClick={onBroken} />}>
          The card form did not load. Nothing was charged.
        </Alert>
      ) : (
        <div className="grid min-h-60">
          {form === 'loading' && (
            <div className="col-start-1 row-start-1">
              <output className="sr-only">Loading the card form</output>
              <CardFormShape />
            </div>
          )}
          {/* A frame of another scheme than its own page gets a white ground; the theme comes by the appearance. */}
          <PaymentElement
            className="col-start-1 row-start-1 scheme-light"
            options={elementOptions}
            onReady={() => setForm('ready')}
            onLoadError={() => setForm('broken')}
          />
        </div>
      )}
      {problem && (
        <Alert variant="destructive" title={problem.message}>
          {problem.unanswered
            ? 'It is not known yet whether your card was charged. Pay again when there is a connection: it is the same payment, and nothing is charged twice.'
            : 'Nothing was charged. Check the card, or use another one.'}
        </Alert>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          type="submit"
          size="large"
          className="flex-[1_1_14rem]"
          disabled={form !== 'ready'}
          pending={isPaying}
          pendingText="Processing..."
        >
          Pay {formatCents(amountCents)}
        </Button>
        <CancelLink />
      </div>
    </form>
  )
}

/** Without an answer the provider is asked once for the payment's status. */
async function confirm(
  stripe: Stripe,
  elements: NonNullable<ReturnType<typeof useElements>>,
  { clientSecret, planId }: { clientSecret: string; planId: number },
): Promise<PaymentOutcome> {
  let outcome: PaymentOutcome
  try {
    outcome = outcomeOf(
      await stripe.confirmPayment({
        elements,
        redirect: 'if_required',
        confirmParams: { return_url: `${location.origin}${paths.checkoutStatus}?planId=${planId}` },
      }),
    )
  } catch {
    return { kind: 'failed', message: couldNotInitialize }
  }
  if (outcome.kind !== 'unanswered') return outcome
  return outcomeOfStatus(await statusOfPayment(stripe, clientSecret).catch(() => null))
}
