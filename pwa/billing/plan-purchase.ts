import { call, pullAccount, Refused, Unreachable } from '../sync/index.ts'
import { confirmUser } from '../device/session/session-store.ts'
import { bodyOf, isOpen, once, type PlanOrder } from './plan-order.ts'

/** `unreachable`: no answer came; another try orders nothing twice. */
export type PurchaseResult =
  | { readonly kind: 'active' }
  | { readonly kind: 'payment-required' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'unreachable' }

function resultOf(error: unknown): PurchaseResult {
  if (error instanceof Unreachable) return { kind: 'unreachable' }
  if (error instanceof Refused && error.problem.code === 'payment_required') return { kind: 'payment-required' }
  return { kind: 'refused', message: error instanceof Error ? error.message : String(error) }
}

/** Takes a plan that costs nothing, and refreshes the account's rights. */
export async function subscribe(order: PlanOrder): Promise<PurchaseResult> {
  try {
    await once('subscribe', order, (key) => call('createSubscription', { body: bodyOf(order), key }))
  } catch (error) {
    return resultOf(error)
  }
  await refreshAccount()
  return { kind: 'active' }
}

/** Free orders and those of a demo are active at once; others have to be paid. */
export async function checkOut(order: PlanOrder): Promise<PurchaseResult> {
  // The code is not checked again, because it would count as used by this very order.
  if (isOpen('subscribe', order)) return await subscribe(order)
  try {
    const intent = await once('intent', order, (key) => call('createPaymentIntent', { body: bodyOf(order), key }))
    if (intent.demo && !intent.freeSubscription) return await subscribe(order)
    if (!intent.freeSubscription) return { kind: 'payment-required' }
  } catch (error) {
    return resultOf(error)
  }
  await refreshAccount()
  return { kind: 'active' }
}

/** Makes certain what the live stream brings too. */
async function refreshAccount(): Promise<void> {
  await Promise.allSettled([pullAccount(), confirmUser()])
}
