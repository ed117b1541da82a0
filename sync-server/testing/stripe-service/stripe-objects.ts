/** What Stripe says about a card that was refused. */
export interface CardError {
  readonly type: 'card_error'
  readonly code: string
  readonly decline_code?: string
  readonly message: string
}

/** What a card does when it is charged. */
export type Card = 'good' | 'declined' | 'needs-authentication' | 'slow'

/** The numbers that Stripe gives out for its own tests; `slow` stands for ways of paying that take days. */
export const testCards: Readonly<Record<string, Card>> = {
  '4242424242424242': 'good',
  '4000000000000002': 'declined',
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
