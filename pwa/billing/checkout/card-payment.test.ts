import type { PaymentIntent, PaymentIntentResult, StripeError } from '@stripe/stripe-js'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { textStorage } from '../../sync/testing/text-storage.ts'
import { forgetPayment, outcomeOf, outcomeOfStatus, rememberedPayment, rememberPayment } from './card-payment.ts'

const intent = (status: PaymentIntent.Status) => ({ id: 'pi_1', status }) as PaymentIntent
const refused = (error: Partial<StripeError>): PaymentIntentResult => ({ error: error as StripeError })

describe('what became of a press on Pay', () => {
  it('is a payment when the provider says that it succeeded', () => {
    expect(outcomeOf({ paymentIntent: intent('succeeded') })).toEqual({ kind: 'paid' })
  })

  it.each(['processing', 'requires_action', 'canceled', 'requires_payment_method'] as const)(
    'is none when its status is %s',
    (status) => {
      expect(outcomeOf({ paymentIntent: intent(status) })).toEqual({
        kind: 'failed',
        message: `Payment was not completed. Status: ${status}`,
      })
    },
  )

  it("says the provider's reason for a declined card", () => {
    const message = 'Your card was declined.'
    expect(outcomeOf(refused({ type: 'card_error', code: 'card_declined', message }))).toEqual({
      kind: 'failed',
      message,
    })
  })

  it('is a payment when it was made in another tab meanwhile', () => {
    const code = 'payment_intent_unexpected_state'
    expect(outcomeOf(refused({ type: 'invalid_request_error', code, payment_intent: intent('succeeded') }))).toEqual({
      kind: 'paid',
    })
  })

  it('is not known without an answer, and is left to the form when a field is empty', () => {
    expect(outcomeOf(refused({ type: 'api_connection_error' })).kind).toBe('unanswered')
    expect(outcomeOf(refused({ type: 'validation_error', message: 'Your card number is incomplete.' }))).toEqual({
      kind: 'incomplete',
      message: 'Your card number is incomplete.',
    })
    expect(outcomeOf(refused({ type: 'api_error' }))).toEqual({
      kind: 'failed',
      message: 'Could not initialize payment. Please try again.',
    })
  })
})

it.each([
  ['succeeded', { kind: 'paid' }],
  ['requires_payment_method', { kind: 'failed', message: 'Could not connect to payment service.' }],
  ['processing', { kind: 'failed', message: 'Payment was not completed. Status: processing' }],
  [null, { kind: 'unanswered' }],
])('a payment whose answer was lost is what the provider says of it: %s', (status, outcome) => {
  expect(outcomeOfStatus(status)).toEqual(outcome)
})

describe('a payment under way', () => {
  const kept = new Map<string, string>()
  beforeEach(() => {
    kept.clear()
    vi.stubGlobal('sessionStorage', textStorage(kept))
  })
  afterEach(() => vi.unstubAllGlobals())

  it('is found after a reload, until it is known what became of it', () => {
    const payment = { planId: 2, clientSecret: 'pi_1_secret_x', paidBefore: [7] }
    rememberPayment(payment)
    expect(rememberedPayment()).toEqual(payment)
    forgetPayment()
    expect(rememberedPayment()).toBeNull()
  })

  it.each(['', '{', '{"planId":2}', '{"planId":2,"clientSecret":7,"paidBefore":[]}', 'null'])(
    'is none where %j was kept',
    (text) => {
      kept.set('payment-under-way', text)
      expect(rememberedPayment()).toBeNull()
    },
  )
})
