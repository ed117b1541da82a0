import type { PaymentIntent, PaymentIntentResult } from '@stripe/stripe-js'
import { readTabStorage, writeTabStorage } from '../plan-order.ts'
import { checkOfStatus, type PaidBefore } from './payment-check.ts'

/**
 * What became of a press on Pay. `incomplete`: the form itself says what is missing. `unanswered`: the card may have been
 * charged, or not; only asking tells.
 */
export type PaymentOutcome =
  | { readonly kind: 'paid' }
  | { readonly kind: 'incomplete'; readonly message: string }
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'failed'; readonly message: string }

export const couldNotInitialize = 'Could not initialize payment. Please try again.'

export const notConnected = 'Could not connect to payment service.'

/** Reads the provider's answer to a confirmation. */
export function outcomeOf({ paymentIntent, error }: PaymentIntentResult): PaymentOutcome {
  // A payment that was made in another tab is refused here, and is paid all the same.
  const status = paymentIntent?.status ?? (error?.payment_intent?.status === 'succeeded' ? 'succeeded' : null)
  if (status !== null) {
    const check = checkOfStatus(status)
    return check.state === 'success' ? { kind: 'paid' } : { kind: 'failed', message: check.message }
  }
  if (error?.type === 'validation_error') return { kind: 'incomplete', message: error.message ?? '' }
  if (error?.type === 'api_connection_error') return { kind: 'unanswered' }
  return { kind: 'failed', message: error?.message ?? couldNotInitialize }
}

/** What became of a press on Pay whose answer was lost, when the provider was asked for the status; null: it did not say. */
export function outcomeOfStatus(status: string | null): PaymentOutcome {
  if (status === null) return { kind: 'unanswered' }
  if (status === 'succeeded') return { kind: 'paid' }
  if (status === 'requires_payment_method') return { kind: 'failed', message: notConnected }
  return outcomeOf({ paymentIntent: { status } as PaymentIntent })
}

/** Which payment was being made in this tab: a reload in the middle of it goes on with that one. */
export interface PaymentUnderWay {
  readonly planId: number
  readonly clientSecret: string
  readonly paidBefore: PaidBefore
}

const place = 'payment-under-way'

/** Remembers a payment from the press on Pay until it is known what became of it; in this tab only. */
export function rememberPayment(payment: PaymentUnderWay): void {
  writeTabStorage(place, JSON.stringify(payment))
}

/** The payment that this tab had begun when it was reloaded or left for the bank. */
export function rememberedPayment(): PaymentUnderWay | null {
  try {
    const kept = JSON.parse(readTabStorage(place) ?? 'null') as Partial<PaymentUnderWay> | null
    const { planId, clientSecret, paidBefore } = kept ?? {}
    if (typeof planId !== 'number' || typeof clientSecret !== 'string' || !Array.isArray(paidBefore)) return null
    return { planId, clientSecret, paidBefore }
  } catch {
    return null
  }
}

/** It is known what became of it. */
export function forgetPayment(): void {
  writeTabStorage(place, null)
}
