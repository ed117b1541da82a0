import { call, Refused, Unreachable } from '../../api/call.ts'
import { bodyOf, once, type PlanOrder } from '../plan-order.ts'
import { couldNotInitialize } from './card-payment.ts'

/** What the server says to a payment that shall begin. */
export type IntentAnswer =
  /** A card can be charged: `amountCents` is what it will be. */
  | { readonly kind: 'ready'; readonly clientSecret: string; readonly amountCents: number }
  /** It went through before, or cost nothing: the plan is active. */
  | { readonly kind: 'active' }
  /** The bank takes its time with it: it must not be paid again. */
  | { readonly kind: 'processing' }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'refused'; readonly message: string }

/** Begins to pay for an order, or goes on with what was begun: the server has one open payment for it. */
export async function beginPayment(order: PlanOrder): Promise<IntentAnswer> {
  try {
    const { clientSecret, freeSubscription, amount, payment } = await once('intent', order, (key) =>
      call('createPaymentIntent', { body: bodyOf(order), key }),
    )
    if (freeSubscription || payment === 'paid') return { kind: 'active' }
    if (payment === 'processing') return { kind: 'processing' }
    if (clientSecret === null) return { kind: 'refused', message: couldNotInitialize }
    return { kind: 'ready', clientSecret, amountCents: amount }
  } catch (error) {
    return refusalOf(error)
  }
}

/** Takes a plan that costs nothing. */
export async function takeFreePlan(order: PlanOrder): Promise<IntentAnswer> {
  try {
    await once('subscribe', order, (key) => call('createSubscription', { body: bodyOf(order), key }))
    return { kind: 'active' }
  } catch (error) {
    return refusalOf(error)
  }
}

function refusalOf(error: unknown): IntentAnswer {
  if (error instanceof Unreachable) return { kind: 'unreachable' }
  if (!(error instanceof Refused)) return { kind: 'refused', message: couldNotInitialize }
  if (error.status === 401) return { kind: 'signed-out' }
  return { kind: 'refused', message: error.message }
}
