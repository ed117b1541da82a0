import { randomBytes } from 'node:crypto'
import { invalidRequest, StripeRefusal, type Card, type CardError } from './stripe-objects.ts'

/** Tells of a change: Stripe's name for it and the object as it is now. */
export type Tell = (type: string, object: object) => void

export type Ledger = ReturnType<typeof createLedger>

const refusals = {
  declined: {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'generic_decline',
    message: 'Your card was declined.',
  },
  'not-authenticated': {
    type: 'card_error',
    code: 'payment_intent_authentication_failure',
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
  },
  bounced: { type: 'card_error', code: 'payment_intent_payment_attempt_failed', message: 'The payment failed.' },
} as const satisfies Record<string, CardError>

const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`

interface IntentValues {
  amount: number
  currency: string
  readonly customer: string | null
  readonly description: string | null
  metadata: Record<string, string>
}

/** A payment intent as it goes over the wire: the parts of Stripe's that are of use here, as of its other objects. */
export type StripeIntent = ReturnType<typeof newIntent>

function newIntent(values: IntentValues) {
  const id = newId('pi')
  return {
    id,
    object: 'payment_intent',
    amount_received: 0,
    client_secret: `${id}_secret_${randomBytes(12).toString('hex')}`,
    last_payment_error: null as CardError | null,
    latest_charge: null as string | null,
    status: 'requires_payment_method' as
      | 'requires_payment_method'
      | 'requires_action'
      | 'processing'
      | 'succeeded'
      | 'canceled',
    ...values,
  }
}

function newCharge({ id, amount, currency }: StripeIntent, paid: boolean) {
  return {
    id: newId('ch'),
    object: 'charge',
    amount,
    amount_refunded: 0,
    currency,
    disputed: false,
    paid,
    payment_intent: id,
    status: paid ? 'succeeded' : 'failed',
  }
}

/** What a refund and a dispute have in common. */
const aboutCharge = ({ id, currency, payment_intent: intent }: ReturnType<typeof newCharge>, amount: number) => ({
  amount,
  charge: id,
  currency,
  payment_intent: intent,
})

function newRefund(paid: ReturnType<typeof newCharge>, amount: number) {
  const status = 'succeeded' as 'succeeded' | 'failed'
  return { id: newId('re'), object: 'refund', status, ...aboutCharge(paid, amount) }
}

function newDispute(paid: ReturnType<typeof newCharge>, kind: 'chargeback' | 'inquiry') {
  const status = (kind === 'inquiry' ? 'warning_needs_response' : 'needs_response') as string
  return { id: newId('dp'), object: 'dispute', reason: 'fraudulent', status, ...aboutCharge(paid, paid.amount) }
}

/** The books of an account at Stripe: what exists, what may become of it, and what is told about it. */
export function createLedger(tell: Tell) {
  const intents = new Map<string, StripeIntent>()
  const charges = new Map<string, ReturnType<typeof newCharge>>()
  const customers = new Set<string>()
  const disputes = new Map<string, ReturnType<typeof newDispute>>()
  const refunds = new Map<string, ReturnType<typeof newRefund>>()

  function getIntent(id: string): StripeIntent {
    const intent = intents.get(id)
    if (!intent) throw missing('payment_intent', id)
    return intent
  }

  function getCharge({ latest_charge: id }: StripeIntent) {
    const charge = id === null ? undefined : charges.get(id)
    if (!charge?.paid) throw invalidRequest('This PaymentIntent does not have a successful charge.')
    return charge
  }

  function charge(intent: StripeIntent, error: CardError | null): void {
    const made = newCharge(intent, error === null)
    charges.set(made.id, made)
    Object.assign(intent, {
      latest_charge: made.id,
      status: made.paid ? 'succeeded' : 'requires_payment_method',
      amount_received: made.paid ? intent.amount : 0,
      last_payment_error: error,
    })
    tell(`charge.${made.status}`, made)
    tell(`payment_intent.${made.paid ? 'succeeded' : 'payment_failed'}`, intent)
  }

  return {
    intents,
    disputes,
    refunds,
    getIntent,
    findCharge: (id: string) => charges.get(id),

    createCustomer(values: { name: string | null; email: string | null; metadata: Record<string, string> }) {
      const customer = { id: newId('cus'), object: 'customer', ...values }
      customers.add(customer.id)
      tell('customer.created', customer)
      return customer
    },

    deleteCustomer(id: string) {
      if (!customers.delete(id)) throw missing('customer', id)
      return { id, object: 'customer', deleted: true }
    },

    createIntent(values: IntentValues) {
      if (values.amount < 50 && values.currency === 'usd')
        throw invalidRequest('Amount must be at least $0.50 usd', 'amount_too_small', { param: 'amount' })
      if (values.customer !== null && !customers.has(values.customer))
        throw invalidRequest(`No such customer: '${values.customer}'`, 'resource_missing', { param: 'customer' })
      const intent = newIntent(values)
      intents.set(intent.id, intent)
      tell('payment_intent.created', intent)
      return intent
    },

    /** Charges a card, as a page does. Throws like Stripe for a refused card and for an intent that is over. */
    confirm(intent: StripeIntent, card: Card): StripeIntent {
      if (intent.status !== 'requires_payment_method' && intent.status !== 'requires_action')
        throw unexpectedState(intent, 'confirm')
      if (card === 'needs-authentication') {
        intent.status = 'requires_action'
        tell('payment_intent.requires_action', intent)
      } else if (card === 'slow') {
        intent.status = 'processing'
        tell('payment_intent.processing', intent)
      } else if (card === 'good') {
        charge(intent, null)
      } else {
        charge(intent, refusals[card])
        throw new StripeRefusal(402, { ...refusals[card], payment_intent: intent })
      }
      return intent
    },

    /** The holder of the card says yes or no to their bank, or the bank ends what took its time. */
    finish(intent: StripeIntent, outcome: 'succeeded' | 'failed'): StripeIntent {
      if (intent.status !== 'requires_action' && intent.status !== 'processing') throw unexpectedState(intent, 'finish')
      const failure = intent.status === 'processing' ? refusals.bounced : refusals['not-authenticated']
      charge(intent, outcome === 'succeeded' ? null : failure)
      return intent
    },

    cancel(intent: StripeIntent): StripeIntent {
      if (intent.status === 'succeeded' || intent.status === 'canceled' || intent.status === 'processing')
        throw unexpectedState(intent, 'cancel')
      intent.status = 'canceled'
      tell('payment_intent.canceled', intent)
      return intent
    },

    /** Gives money back; all that is left of it unless said otherwise. */
    refund(intent: StripeIntent, cents?: number) {
      const paid = getCharge(intent)
      const left = paid.amount - paid.amount_refunded
      const amount = cents ?? left
      if (amount > left || left === 0)
        throw invalidRequest('Refund amount is greater than unrefunded amount on charge', 'charge_already_refunded')
      const refund = newRefund(paid, amount)
      refunds.set(refund.id, refund)
      paid.amount_refunded += amount
      tell('refund.created', refund)
      tell('charge.refunded', paid)
      return refund
    },

    /** The bank could not give the money back: it is the seller's again. */
    failRefund(refund: ReturnType<typeof newRefund>) {
      const paid = charges.get(refund.charge)
      if (!paid || refund.status === 'failed') throw invalidRequest('This refund cannot fail.')
      refund.status = 'failed'
      paid.amount_refunded -= refund.amount
      tell('refund.failed', refund)
      return refund
    },

    /** The holder of the card disputes the payment; an inquiry takes no money yet. */
    dispute(intent: StripeIntent, kind: 'chargeback' | 'inquiry' = 'chargeback') {
      const paid = getCharge(intent)
      const dispute = newDispute(paid, kind)
      disputes.set(dispute.id, dispute)
      paid.disputed = true
      tell('charge.dispute.created', dispute)
      if (kind === 'chargeback') tell('charge.dispute.funds_withdrawn', dispute)
      return dispute
    },

    closeDispute(dispute: ReturnType<typeof newDispute>, outcome: 'won' | 'lost') {
      dispute.status = outcome
      if (outcome === 'won') tell('charge.dispute.funds_reinstated', dispute)
      tell('charge.dispute.closed', dispute)
      return dispute
    },
  }
}

function missing(what: string, id: string): StripeRefusal {
  return invalidRequest(`No such ${what}: '${id}'`, 'resource_missing', { status: 404, param: 'intent' })
}

function unexpectedState(intent: StripeIntent, what: string): StripeRefusal {
  return new StripeRefusal(400, {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message: `You cannot ${what} this PaymentIntent because it has a status of ${intent.status}.`,
    payment_intent: intent,
  })
}
