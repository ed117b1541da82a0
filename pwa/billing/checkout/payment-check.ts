import type { BillingEntry } from '#shared/billing/billing-calls.ts'
import { call, Refused } from '../../sync/index.ts'

export const couldNotInitialize = 'Could not initialize payment. Please try again.'

export interface PaymentIdentifiers {
  readonly intent: string | null
  readonly clientSecret: string | null
}

export function identifiersOf(search: string): PaymentIdentifiers {
  const query = new URLSearchParams(search)
  return { intent: query.get('payment_intent'), clientSecret: query.get('payment_intent_client_secret') }
}

/** Takes them from address bar and history, with all that the provider added; the plan stays. */
export function takeIdentifiers(): PaymentIdentifiers {
  const identifiers = identifiersOf(location.search)
  const planId = new URLSearchParams(location.search).get('planId')
  if (location.pathname.startsWith('/checkout-status') && location.search !== '') {
    const rest = planId === null ? '' : `?planId=${encodeURIComponent(planId)}`
    history.replaceState(history.state, '', location.pathname + rest)
  }
  return identifiers
}

export type PaymentCheck = { readonly state: 'success' } | { readonly state: 'failure'; readonly message: string }

type StatusOf = (clientSecret: string) => Promise<string>

/** @throws when the provider cannot be reached */
export type OpenProvider = (publishableKey: string) => Promise<StatusOf>

const failure = (message: string): PaymentCheck => ({ state: 'failure', message })

/** Anything but `succeeded` is a failure (specification, section 4). */
export function checkOfStatus(status: string): PaymentCheck {
  return status === 'succeeded' ? { state: 'success' } : failure(`Payment was not completed. Status: ${status}`)
}

/** @param open null where the provider's script may not run (demo mode) */
export async function checkPayment(
  { intent, clientSecret }: PaymentIdentifiers,
  open: OpenProvider | null = null,
): Promise<PaymentCheck> {
  // The secret contains its payment's id: a mismatch means two payments.
  if (!intent || !clientSecret?.startsWith(`${intent}_secret`)) {
    return failure('Payment information not found. Please try again.')
  }
  try {
    const { publishableKey } = await call('getBillingMode')
    const statusOf = publishableKey && open ? await open(publishableKey).catch(() => null) : null
    if (!statusOf) return failure('Could not initialize payment provider. Please try again.')
    return checkOfStatus(await statusOf(clientSecret))
  } catch {
    return failure('An error occurred while checking payment status. Please contact support.')
  }
}

const attempts = 6
const pauseMs = 1_000

/** Numbers of the payments made before this one. */
export type PaidBefore = readonly number[]

/** It is empty where it cannot be known. */
export async function listPaid(): Promise<PaidBefore> {
  const { entries } = await call('getBillingHistory').catch(() => ({ entries: [] as BillingEntry[] }))
  return entries.filter(({ status }) => status === 'paid').map(({ id }) => id)
}

/**
 * Waits until our server has recorded a payment, which each reading of the subscription makes it ask for: this does not
 * depend on the webhook.
 * @returns whether a plan was paid for that was not before; false after a time-out or when signed out
 */
export async function awaitActivation(planName: string | null, before: PaidBefore): Promise<boolean> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    try {
      await call('getSubscription')
      const { entries } = await call('getBillingHistory')
      const isNew = ({ id, status }: BillingEntry) => status === 'paid' && !before.includes(id)
      if (entries.some((entry) => isNew(entry) && (planName === null || entry.planName === planName))) return true
    } catch (error) {
      if (error instanceof Refused && error.status === 401) return false
    }
    if (attempt < attempts) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  return false
}
