import { useEffect, useState } from 'react'
import type { Plan } from '#shared/billing/billing-calls.ts'
import { call, Refused, Unreachable } from '../../api/call.ts'
import { listPaid, type PaidBefore } from './hear-of-payment.ts'

/** What a checkout has to know before it begins, asked of the server each time: a price may have changed. */
export type CheckoutFacts =
  | { readonly state: 'loading' }
  | { readonly state: 'signed-out' }
  | { readonly state: 'failed'; readonly unreachable: boolean }
  | {
      readonly state: 'ready'
      readonly email: string
      readonly plans: readonly Plan[]
      /** null: no card is charged here. */
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

/** Who pays, what is on sale, and under which key cards are charged; and how to ask again. */
export function useCheckoutFacts(): readonly [CheckoutFacts, () => void] {
  const [attempt, setAttempt] = useState(1)
  const [newest, setNewest] = useState<{ readonly attempt: number; readonly facts: CheckoutFacts } | null>(null)
  useEffect(() => {
    let left = false
    void askForFacts().then((facts) => {
      if (!left) setNewest({ attempt, facts })
    })
    return () => {
      left = true
    }
  }, [attempt])
  const facts: CheckoutFacts = newest?.attempt === attempt ? newest.facts : { state: 'loading' }
  return [facts, () => setAttempt(attempt + 1)]
}
