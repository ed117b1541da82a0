import type { PaymentIntent, PaymentIntentResult } from '@stripe/stripe-js'
import { parsed } from '#shared/text/parsed.ts'
import { readText, writeText } from '../../browser/browser-storage.ts'
import { tab } from '../plan-order.ts'
import { checkOfStatus, couldNotInitialize, type PaidBefore } from './payment-check.ts'

/** `incomplete`: the form itself says what is missing. `unanswered`: the card may have been charged or not. */
export type PaymentOutcome =
  | { readonly kind: 'paid' }
  | { readonly kind: 'incomplete'; readonly message: string }
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'failed'; readonly message: string }

export const notConnected = 'Could not connect to payment service.'

export function outcomeOf({ paymentIntent, error }: PaymentIntentResult): PaymentOutcome {
  // A payment made in another tab is refused here and counts as paid.
  const status = paymentIntent?.status ?? (error?.payment_intent?.status === 'succeeded' ? 'succeeded' : null)
  if (status !== null) {
    const check = checkOfStatus(status)
    return check.state === 'success' ? { kind: 'paid' } : { kind: 'failed', message: check.message }
  }
  if (error?.type === 'validation_error') return { kind: 'incomplete', message: error.message ?? '' }
  if (error?.type === 'api_connection_error') return { kind: 'unanswered' }
  return { kind: 'failed', message: error?.message ?? couldNotInitialize }
}

/** For a lost answer; null: the provider did not say. */
export function outcomeOfStatus(status: string | null): PaymentOutcome {
  if (status === null) return { kind: 'unanswered' }
  if (status === 'succeeded') return { kind: 'paid' }
  if (status === 'requires_payment_method') return { kind: 'failed', message: notConnected }
  return outcomeOf({ paymentIntent: { status } as PaymentIntent })
}

/** Lets a reload in the middle of a payment go on with it. */
export interface PaymentUnderWay {
  readonly planId: number
  readonly clientSecret: string
  readonly paidBefore: PaidBefore
}

const storageKey = 'payment-under-way'

/** The payment is kept in this tab only, from the press on Pay until the outcome is known. */
export function rememberPayment(payment: PaymentUnderWay): void {
  writeText(storageKey, JSON.stringify(payment), tab)
}

export function rememberedPayment(): PaymentUnderWay | null {
  const kept = parsed(readText(storageKey, tab) ?? '') as Partial<PaymentUnderWay> | null | undefined
  const { planId, clientSecret, paidBefore } = kept ?? {}
  if (typeof planId !== 'number' || typeof clientSecret !== 'string' || !Array.isArray(paidBefore)) return null
  return { planId, clientSecret, paidBefore }
}

export function forgetPayment(): void {
  writeText(storageKey, null, tab)
}
