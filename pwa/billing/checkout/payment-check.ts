import { call } from '../../api/call.ts'
import type { PaymentIdentifiers } from './payment-identifiers.ts'

export type PaymentCheck = { readonly state: 'success' } | { readonly state: 'failure'; readonly message: string }

/** Asks the card payment provider for a payment's status. */
type StatusOf = (clientSecret: string) => Promise<string>

/** Reaches the card payment provider under our public key. @throws when it cannot be reached */
export type OpenProvider = (publishableKey: string) => Promise<StatusOf>

const failure = (message: string): PaymentCheck => ({ state: 'failure', message })

/** What a payment's status means; anything but `succeeded` is a failure (specification, section 4). */
export function checkOfStatus(status: string): PaymentCheck {
  return status === 'succeeded' ? { state: 'success' } : failure(`Payment was not completed. Status: ${status}`)
}

/**
 * Asks how a payment went. `open`: how the provider is reached; null where its script may not run, as in the app itself, which
 * in demo mode shows this page.
 */
export async function checkPayment(
  { intent, clientSecret }: PaymentIdentifiers,
  open: OpenProvider | null = null,
): Promise<PaymentCheck> {
  // The secret names its payment: identifiers of two payments were put together by somebody else.
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
