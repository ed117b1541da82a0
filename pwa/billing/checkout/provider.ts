import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import type { OpenProvider } from './payment-check.ts'

/** The provider's script came, and would not begin with our key. */
export class ProviderRefused extends Error {
  override readonly name = 'ProviderRefused'
}

let opened: { readonly publishableKey: string; readonly stripe: Stripe } | undefined
// What it would gather about this visit to tell fraud goes further than the card's own checks; we do without.
loadStripe.setLoadParameters({ advancedFraudSignals: false })
// Given parameters the loader waits for ever on a script that has failed already (stripe-js 10.2), unless it is gone by then.
document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLScriptElement && target.src.startsWith('https://js.stripe.com/')) target.remove()
  },
  true,
)

/**
 * The card payment provider's client, with its script fetched the first time.
 * @throws ProviderRefused when it does not take our key; any other error when its script does not come
 */
export async function openProvider(publishableKey: string): Promise<Stripe> {
  if (opened?.publishableKey === publishableKey) return opened.stripe
  const stripe = await loadStripe(publishableKey).catch((error: unknown) => {
    if (error instanceof Error && error.message.startsWith('Failed to load')) throw error
    throw new ProviderRefused('Could not initialize payment provider', { cause: error })
  })
  if (!stripe) throw new ProviderRefused('Could not initialize payment provider')
  opened = { publishableKey, stripe }
  return stripe
}

/** The status of a payment as the provider knows it. @throws when it does not say */
export async function statusOfPayment(stripe: Stripe, clientSecret: string): Promise<string> {
  const { paymentIntent, error } = await stripe.retrievePaymentIntent(clientSecret)
  if (!paymentIntent) throw new Error(error.message ?? error.type)
  return paymentIntent.status
}

/** For the page one comes back to: how to ask for a payment's status. */
export const openForStatus: OpenProvider = async (publishableKey) => {
  const stripe = await openProvider(publishableKey)
  return async (clientSecret) => await statusOfPayment(stripe, clientSecret)
}
