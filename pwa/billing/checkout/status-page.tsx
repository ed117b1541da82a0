import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import { idFrom } from '../../paths.ts'
import { usePageTitle } from '../../page/page-title.ts'
import { Button } from '../../ui/button.tsx'
import { PageSpinner } from '../../ui/loading.tsx'
import { forgetPayment, rememberedPayment } from './card-payment.ts'
import { awaitActivation, checkPayment, type PaymentCheck, type PaymentIdentifiers } from './payment-check.ts'
import { PaymentOutcome, showPaymentToast } from './payment-outcome.tsx'
import { openForStatus } from './provider.ts'

interface Outcome {
  readonly check: PaymentCheck
  readonly active: boolean
}

async function nameOfPlan(): Promise<string | null> {
  const planId = idFrom(new URLSearchParams(location.search).get('planId') ?? undefined)
  const plans = await call('listPlans').catch(() => [])
  return plans.find(({ id }) => id === planId)?.name ?? null
}

/** Asks the provider how the payment went, and has our server hear of it before anything is said to be active. */
async function findOut(identifiers: PaymentIdentifiers): Promise<Outcome> {
  const check = await checkPayment(identifiers, openForStatus)
  if (check.state === 'failure') return { check, active: false }
  const active = await awaitActivation(await nameOfPlan(), rememberedPayment()?.paidBefore ?? [])
  forgetPayment()
  return { check, active }
}

/** /checkout-status where cards are charged: what became of a payment that was confirmed elsewhere. */
export function StatusPage({ identifiers }: { identifiers: PaymentIdentifiers }) {
  usePageTitle('Payment Status')
  const [attempt, setAttempt] = useState(1)
  const [newest, setNewest] = useState<{ readonly attempt: number; readonly outcome: Outcome } | null>(null)
  useEffect(() => {
    let left = false
    void findOut(identifiers).then((found) => {
      if (left) return
      setNewest({ attempt, outcome: found })
      if (found.active) showPaymentToast()
    })
    return () => {
      left = true
    }
  }, [identifiers, attempt])

  if (newest?.attempt !== attempt) return <PageSpinner label="Checking your payment" />
  const isKnown = identifiers.intent !== null && identifiers.clientSecret !== null
  return (
    <PaymentOutcome
      {...newest.outcome}
      again={
        // The identifiers are in this page only: whoever reloads it has lost them.
        isKnown && <Button onClick={() => setAttempt(attempt + 1)}>Check Again</Button>
      }
    />
  )
}
