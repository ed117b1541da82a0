/** The states a payment intent of ours goes through; Stripe knows more. */
type IntentStatus = 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled'

/** What Stripe says about a card that was refused. */
export interface CardError {
  readonly type: 'card_error'
  readonly code: string
  readonly decline_code?: string
  readonly message: string
}

/** A payment intent as it goes over the wire: the parts of Stripe's that are of use here. */
export interface StripeIntent {
  readonly id: string
  readonly object: 'payment_intent'
  amount: number
  amount_received: number
  readonly automatic_payment_methods: { readonly enabled: true }
  canceled_at: number | null
  cancellation_reason: string | null
  readonly client_secret: string
  readonly created: number
  currency: string
  readonly customer: string | null
  readonly description: string | null
  last_payment_error: CardError | null
  latest_charge: string | null
  readonly livemode: false
  metadata: Record<string, string>
  next_action: { readonly type: 'use_stripe_sdk' } | null
  readonly payment_method_types: readonly string[]
  status: IntentStatus
}

export interface StripeCharge {
  readonly id: string
  readonly object: 'charge'
  readonly amount: number
  amount_refunded: number
  readonly created: number
  readonly currency: string
  disputed: boolean
  readonly failure_code: string | null
  readonly livemode: false
  readonly metadata: Record<string, string>
  readonly paid: boolean
  readonly payment_intent: string
  refunded: boolean
  readonly status: 'succeeded' | 'failed'
}

export interface StripeRefund {
  readonly id: string
  readonly object: 'refund'
  readonly amount: number
  readonly charge: string
  readonly created: number
  readonly currency: string
  readonly payment_intent: string
  status: 'succeeded' | 'failed'
}

export interface StripeDispute {
  readonly id: string
  readonly object: 'dispute'
  readonly amount: number
  readonly charge: string
  readonly created: number
  readonly currency: string
  readonly payment_intent: string
  readonly reason: string
  status: 'warning_needs_response' | 'needs_response' | 'won' | 'lost'
}

export interface StripeCustomer {
  readonly id: string
  readonly object: 'customer'
  readonly created: number
  readonly email: string | null
  readonly livemode: false
  readonly metadata: Record<string, string>
  readonly name: string | null
}

/** An event as a webhook carries it. */
export interface StripeEvent {
  readonly id: string
  readonly object: 'event'
  readonly api_version: string
  readonly created: number
  readonly data: { readonly object: object }
  readonly livemode: false
  readonly pending_webhooks: number
  readonly request: { readonly id: string | null; readonly idempotency_key: string | null }
  readonly type: string
}

/** What a card does when it is charged. */
export type Card = 'good' | 'declined' | 'insufficient-funds' | 'needs-authentication' | 'slow'

/** The numbers that Stripe gives out for its own tests; `slow` stands for ways of paying that take days. */
export const testCards: Readonly<Record<string, Card>> = {
  '4242424242424242': 'good',
  '4000000000000002': 'declined',
  '4000000000009995': 'insufficient-funds',
  '4000002500003155': 'needs-authentication',
  '4000000000000077': 'slow',
}

/** How Stripe refuses a request. */
export class StripeRefusal extends Error {
  readonly status: number
  readonly error: Readonly<Record<string, unknown>>

  constructor(status: number, error: { type: string; message: string; [more: string]: unknown }) {
    super(error.message)
    this.name = 'StripeRefusal'
    this.status = status
    this.error = error
  }
}

/** A request that makes no sense: 400 unless said otherwise. */
export function invalidRequest(message: string, code?: string, more: { status?: number; param?: string } = {}) {
  const { status = 400, param } = more
  return new StripeRefusal(status, {
    type: 'invalid_request_error',
    message,
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
  })
}
