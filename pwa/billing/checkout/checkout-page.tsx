import { useState } from 'react'
import { Navigate } from 'react-router-dom'
import type { Plan } from '#shared/billing/billing-calls.ts'
import { call, Refused, Unreachable } from '../../sync/index.ts'
import { usePageTitle } from '../../ui/page/page-title.ts'
import { idFrom, paths } from '../../paths.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button, TryAgain } from '../../ui/button.tsx'
import { PageSpinner } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { CardCheckout } from './card-checkout.tsx'
import { forgetPayment, rememberedPayment } from './card-payment.ts'
import { CheckoutShape, InvalidPlan } from './checkout-shape.tsx'
import {
  awaitActivation,
  checkPayment,
  listPaid,
  type PaidBefore,
  type PaymentCheck,
  type PaymentIdentifiers,
} from './payment-check.ts'
import { PaymentOutcome, showPaymentToast } from './payment-outcome.tsx'
import { openForStatus } from './provider.ts'
import { useNewest } from './use-newest.ts'

/** Asked of the server each time: a price may have changed. */
type CheckoutFacts =
  | { readonly state: 'signed-out' }
  | { readonly state: 'failed'; readonly unreachable: boolean }
  | {
      readonly state: 'ready'
      readonly email: string
      readonly plans: readonly Plan[]
      /** Null: no card is charged here. */
      readonly publishableKey: string | null
      readonly paidBefore: PaidBefore
    }

async function askForFacts(): Promise<CheckoutFacts> {
  try {
    const [{ email }, plans, { publishableKey }, paidBefore] = await Promise.all([
      call('getUser'),
      call('listPlans'),
      call('getBillingMode'),
      listPaid(),
    ])
    return { state: 'ready', email, plans, publishableKey, paidBefore }
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return { state: 'signed-out' }
    return { state: 'failed', unreachable: error instanceof Unreachable }
  }
}

export function CheckoutPage() {
  usePageTitle('Checkout')
  const query = new URLSearchParams(location.search)
  const wanted = query.get('planId')
  const [attempt, setAttempt] = useState(1)
  const facts = useNewest(attempt, askForFacts)
  if (!wanted) return <Navigate to={paths.pricing} replace />
  if (facts?.state === 'signed-out') {
    return <Navigate to={paths.auth} replace state={{ from: location.pathname + location.search }} />
  }
  if (facts?.state === 'ready') {
    const plan = facts.plans.find(({ id }) => id === idFrom(wanted))
    if (!plan) return <InvalidPlan />
    return (
      <CardCheckout
        plan={plan}
        email={facts.email}
        publishableKey={facts.publishableKey}
        paidBefore={facts.paidBefore}
        promoCode={query.get('promoCode')}
      />
    )
  }
  return (
    <Page title="Checkout" back={{ to: paths.pricing, label: 'Pricing' }}>
      {facts === null ? (
        <CheckoutShape />
      ) : (
        <Alert
          variant="destructive"
          title="Unable to load subscription plans."
          action={<TryAgain onClick={() => setAttempt(attempt + 1)} />}
        >
          {facts.unreachable
            ? 'Paying needs a connection, and there is none right now. Nothing was charged.'
            : 'The server did not answer. Nothing was charged.'}
        </Alert>
      )}
    </Page>
  )
}

interface Outcome {
  readonly check: PaymentCheck
  readonly active: boolean
}

async function nameOfPlan(): Promise<string | null> {
  const planId = idFrom(new URLSearchParams(location.search).get('planId') ?? undefined)
  const plans = await call('listPlans').catch(() => [])
  return plans.find(({ id }) => id === planId)?.name ?? null
}

/** Nothing is said to be active before our server knows of the payment. */
async function findOut(identifiers: PaymentIdentifiers): Promise<Outcome> {
  const check = await checkPayment(identifiers, openForStatus)
  if (check.state === 'failure') return { check, active: false }
  const active = await awaitActivation(await nameOfPlan(), rememberedPayment()?.paidBefore ?? [])
  forgetPayment()
  return { check, active }
}

export function StatusPage({ identifiers }: { identifiers: PaymentIdentifiers }) {
  usePageTitle('Payment Status')
  const [attempt, setAttempt] = useState(1)
  const outcome = useNewest(attempt, async () => {
    const found = await findOut(identifiers)
    if (found.active) showPaymentToast()
    return found
  })
  if (!outcome) return <PageSpinner label="Checking your payment" />
  const isKnown = identifiers.intent !== null && identifiers.clientSecret !== null
  return (
    <PaymentOutcome
      {...outcome}
      again={
        // A reload would lose the identifiers.
        isKnown && <Button onClick={() => setAttempt(attempt + 1)}>Check Again</Button>
      }
    />
  )
}
