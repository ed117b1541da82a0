/** What the card payment provider put into the address when it sent the person back. */
export interface PaymentIdentifiers {
  readonly intent: string | null
  readonly clientSecret: string | null
}

/** Reads a payment's identifiers from the query of an address. */
export function identifiersOf(search: string): PaymentIdentifiers {
  const query = new URLSearchParams(search)
  return { intent: query.get('payment_intent'), clientSecret: query.get('payment_intent_client_secret') }
}

/**
 * Takes the identifiers out of this page's address, so that they are neither in the address bar nor in the history. What else
 * the provider added goes with them; the plan stays.
 */
export function takeIdentifiers(): PaymentIdentifiers {
  const identifiers = identifiersOf(location.search)
  const planId = new URLSearchParams(location.search).get('planId')
  if (location.pathname.startsWith('/checkout-status') && location.search !== '') {
    const rest = planId === null ? '' : `?planId=${encodeURIComponent(planId)}`
    history.replaceState(history.state, '', location.pathname + rest)
  }
  return identifiers
}
