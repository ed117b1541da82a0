import { call } from '../api/call.ts'

/** What the card payment provider put into the address when it sent the person back. */
export interface PaymentIdentifiers {
  readonly intent: string | null
  readonly clientSecret: string | null
}

export type PaymentCheck = { readonly state: 'success' } | { readonly state: 'failure'; readonly message: string }

/** What a payment's status means; anything but `succeeded` is a failure (specification, section 4). */
export function checkOfStatus(status: string): PaymentCheck {
  if (status === 'succeeded') return { state: 'success' }
  return { state: 'failure', message: `Payment was not completed. Status: ${status}` }
}

/**
 * Asks how a payment went. `retrieve` asks the card payment provider for its status; without one, as in demo mode, no payment
 * can be asked about.
 */
export async function checkPayment(
  { intent, clientSecret }: PaymentIdentifiers,
  retrieve: ((publishableKey: string, clientSecret: string) => Promise<string>) | null = null,
): Promise<PaymentCheck> {
  if (!intent || !clientSecret) {
    return { state: 'failure', message: 'Payment information not found. Please try again.' }
  }
  try {
    const { publishableKey } = await call('getBillingMode')
    if (!publishableKey || !retrieve) {
      return { state: 'failure', message: 'Could not initialize payment provider. Please try again.' }
    }
    return checkOfStatus(await retrieve(publishableKey, clientSecret))
  } catch {
    return {
      state: 'failure',
      message: 'An error occurred while checking payment status. Please contact support.',
    }
  }
}
