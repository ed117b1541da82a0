import type Stripe from 'stripe'
import type { Config } from '../config.ts'
import { ProblemError } from '../calls/problems.ts'

export interface Intent {
  readonly id: string
  /** Stripe's word: succeeded and canceled are final. */
  readonly status: string
  readonly amountCents: number
  readonly receivedCents: number
  readonly currency: string
  /** This is our `provider_key` with the owner's id; null means that the intent is foreign. */
  readonly paymentKey: string | null
  readonly userId: string | null
  /** Lets a page charge a card; never logged. */
  readonly clientSecret: string | null
  readonly wasRefused: boolean
  readonly afterwards?: Afterwards | undefined
}

/** The amounts are in cents. */
interface Afterwards {
  readonly refundedCents: number
  /** The bank holds this amount or has taken it back. */
  readonly disputedCents: number
  readonly lostCents: number
}

interface NewIntent {
  /** The same key never makes a second intent. */
  readonly idempotencyKey: string
  readonly amountCents: number
  readonly currency: string
  readonly customerId: string
  readonly description: string
  readonly paymentKey: string
  readonly userId: number
}

export interface PaymentEvent {
  readonly id: string
  readonly type: string
  /** It is null when the event is about no payment. */
  readonly intentId: string | null
  /** Of a final state: asking again would say the same. */
  readonly intent?: Intent | undefined
}

/** Every call may throw a `PaymentServiceError`. */
export interface PaymentService {
  createCustomer(customer: { idempotencyKey: string; userId: number; email: string; name: string }): Promise<string>
  /** One that is gone already is no failure. */
  deleteCustomer(id: string): Promise<void>
  createIntent(intent: NewIntent): Promise<Intent>
  /** The answer says what became of the money; `isUrgent` asks for it within about two seconds. */
  findIntent(id: string, options?: { readonly isUrgent?: boolean }): Promise<Intent>
  /** The answered intent may have been paid after all. */
  cancelIntent(id: string): Promise<Intent>
  /** Throws `invalid_input` for an event that is not signed, or not within 300 s of `now`. */
  readEvent(rawBody: Buffer, signature: string, now: Date): PaymentEvent
}

export class PaymentServiceError extends ProblemError {
  readonly isUnreachable: boolean
  /** The log gets kinds and numbers, never a person's words. */
  readonly reason: string

  constructor(isUnreachable: boolean, reason: string) {
    super(
      'unavailable',
      isUnreachable ? 'Could not connect to payment service.' : 'Could not initialize payment. Please try again.',
    )
    this.name = 'PaymentServiceError'
    this.isUnreachable = isUnreachable
    this.reason = reason
  }
}

/** The provider gives these reasons for a customer or payment that it does not know. */
export const missingCustomer = 'resource_missing customer'
export const missingIntent = 'resource_missing intent'

const toleranceSeconds = 300
const patience = { timeout: 6_000, maxNetworkRetries: 2 }
const urgency = { timeout: 2_000, maxNetworkRetries: 0 }

/** Returns null where no card is ever charged. */
export async function createPaymentService(config: Config): Promise<PaymentService | null> {
  const { stripeSecretKey, stripeWebhookSecret, stripeApiOrigin } = config
  if (stripeSecretKey === null || config.billing !== 'stripe') return null
  // A server that charges no cards starts without it.
  const { default: StripeClient } = await import('stripe')
  const stripe = new StripeClient(stripeSecretKey, {
    apiVersion: '2026-10-28.endive',
    telemetry: false,
    ...patience,
    ...(stripeApiOrigin === null ? {} : addressOf(stripeApiOrigin)),
  })

  const refusalOf = (error: unknown) => readRefusal(error, StripeClient.errors)

  async function asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask()
    } catch (error) {
      throw refusalOf(error)
    }
  }

  async function withAfterwards(
    intent: Stripe.PaymentIntent,
    options: { timeout: number; maxNetworkRetries: number },
  ): Promise<Intent> {
    const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null
    if (intent.status !== 'succeeded' || !charge) return readIntent(intent)
    const disputes = charge.disputed ? await stripe.disputes.list({ payment_intent: intent.id }, options) : { data: [] }
    const cents = (statuses: readonly string[]) =>
      disputes.data.filter(({ status }) => statuses.includes(status)).reduce((sum, { amount }) => sum + amount, 0)
    const lostCents = cents(['lost'])
    return readIntent(intent, {
      refundedCents: charge.amount_refunded,
      disputedCents: lostCents + cents(fundsHeld),
      lostCents,
    })
  }

  async function findIntent(id: string, options: { isUrgent?: boolean } = {}): Promise<Intent> {
    const limits = options.isUrgent ? urgency : patience
    return await asked(async () =>
      withAfterwards(await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }, limits), limits),
    )
  }

  return {
    findIntent,
    createCustomer: async ({ idempotencyKey, userId, email, name }) => {
      const metadata = { user: String(userId) }
      const customer = await asked(() => stripe.customers.create({ email, name, metadata }, { idempotencyKey }))
      return customer.id
    },
    deleteCustomer: async (id) => {
      try {
        await asked(() => stripe.customers.del(id))
      } catch (error) {
        if (!(error instanceof PaymentServiceError && error.reason.startsWith('resource_missing'))) throw error
      }
    },
    createIntent: async ({ idempotencyKey, amountCents, currency, customerId, description, paymentKey, userId }) =>
      readIntent(
        await asked(() =>
          stripe.paymentIntents.create(
            {
              amount: amountCents,
              currency,
              customer: customerId,
              description,
              automatic_payment_methods: { enabled: true },
              metadata: { payment: paymentKey, user: String(userId) },
            },
            { idempotencyKey },
          ),
        ),
      ),
    cancelIntent: async (id) => {
      try {
        return readIntent(await stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' }))
      } catch (error) {
        if (!(error instanceof StripeClient.errors.StripeInvalidRequestError)) throw refusalOf(error)
        if (error.code !== 'payment_intent_unexpected_state') throw refusalOf(error)
        return await findIntent(id)
      }
    },
    readEvent: (rawBody, signature, now) => {
      if (stripeWebhookSecret === null) throw new ProblemError('not_found', 'There is no such call.')
      let event: Stripe.Event
      try {
        event = stripe.webhooks.constructEvent(
          rawBody,
          signature,
          stripeWebhookSecret,
          toleranceSeconds,
          undefined,
          now.getTime(),
        )
      } catch {
        throw new ProblemError('invalid_input', 'The signature of this event is not valid.')
      }
      return readEvent(event)
    },
  }
}

/** Disputes in these states have taken the money; inquiries (warning_…) have not, won ones have given it back. */
const fundsHeld = ['needs_response', 'under_review', 'appeal_needs_response', 'appeal_under_review']

function addressOf(origin: string): { protocol: 'http' | 'https'; host: string; port: string } {
  const { protocol, hostname, port } = new URL(origin)
  const isHttps = protocol === 'https:'
  return { protocol: isHttps ? 'https' : 'http', host: hostname, port: port || (isHttps ? '443' : '80') }
}

function readIntent(intent: Stripe.PaymentIntent, afterwards?: Afterwards): Intent {
  return {
    id: intent.id,
    status: intent.status,
    amountCents: intent.amount,
    receivedCents: intent.amount_received,
    currency: intent.currency,
    paymentKey: intent.metadata['payment'] ?? null,
    userId: intent.metadata['user'] ?? null,
    clientSecret: intent.client_secret,
    wasRefused: intent.last_payment_error !== null,
    afterwards,
  }
}

function readEvent(event: Stripe.Event): PaymentEvent {
  const about = { id: event.id, type: event.type }
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.canceled':
      return { ...about, intentId: event.data.object.id, intent: readIntent(event.data.object) }
    case 'payment_intent.processing':
    case 'payment_intent.requires_action':
    case 'payment_intent.payment_failed':
      return { ...about, intentId: event.data.object.id }
    case 'charge.refunded':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated': {
      const { payment_intent: intent } = event.data.object
      return { ...about, intentId: typeof intent === 'object' ? (intent?.id ?? null) : intent }
    }
    default:
      return { ...about, intentId: null }
  }
}

function readRefusal(error: unknown, errors: typeof Stripe.errors): unknown {
  if (!(error instanceof errors.StripeError)) return error
  const isUnreachable =
    error instanceof errors.StripeConnectionError ||
    error instanceof errors.StripeRateLimitError ||
    (error.statusCode ?? 0) >= 500
  if (error.code === 'resource_missing')
    return new PaymentServiceError(false, `resource_missing ${error.param ?? 'something'}`)
  const words = [error.type, error.code, error.statusCode, error.requestId].filter((word) => word !== undefined)
  return new PaymentServiceError(isUnreachable, words.join(' '))
}
