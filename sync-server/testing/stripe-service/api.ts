import { createHash } from 'node:crypto'
import type { Ledger, StripeIntent } from './ledger.ts'
import { invalidRequest, StripeRefusal, testCards, type Card } from './stripe-objects.ts'

/** The one version that our server speaks. */
export const apiVersion = '2026-10-28.endive'

export interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** Still encoded. */
  readonly body: string
  /** The key of the account, secret or publishable; null without one. */
  readonly key: string | null
  readonly version: string | null
  readonly idempotencyKey: string | null
}

export interface ApiAnswer {
  readonly status: number
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

const intentParameters = new Set([
  'amount',
  'currency',
  'customer',
  'description',
  'metadata',
  'automatic_payment_methods',
  'expand',
])

/** Answers Stripe's calls from the books: those of a server with its secret key, and a page's two with the public one. */
export function createApi(ledger: Ledger): (request: ApiRequest) => ApiAnswer {
  const kept = new Map<string, { readonly hash: string; readonly answer: ApiAnswer }>()

  function once(request: ApiRequest, act: () => ApiAnswer): ApiAnswer {
    const { idempotencyKey } = request
    if (request.method !== 'POST' || idempotencyKey === null) return act()
    const hash = createHash('sha256').update(`${request.path} ${request.body}`).digest('hex')
    const earlier = kept.get(idempotencyKey)
    if (earlier && earlier.hash !== hash) {
      throw new StripeRefusal(400, {
        type: 'idempotency_error',
        message:
          'Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than the one given.',
      })
    }
    if (earlier) return { ...earlier.answer, headers: { 'idempotent-replayed': 'true' } }
    const answer = act()
    kept.set(idempotencyKey, { hash, answer: JSON.parse(JSON.stringify(answer)) as ApiAnswer })
    return answer
  }

  return (request) => {
    try {
      const isServer = /^[sr]k_test_\w+$/.test(request.key ?? '')
      if (!isServer && !/^pk_test_\w+$/.test(request.key ?? '')) {
        throw new StripeRefusal(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' })
      }
      if (isServer && request.version !== apiVersion)
        throw invalidRequest(`This is ${apiVersion}, not ${request.version ?? 'whatever you like'}.`)
      return once(request, () => ({ status: 200, body: answer(ledger, request, isServer) }))
    } catch (error) {
      if (!(error instanceof StripeRefusal)) throw error
      return { status: error.status, body: { error: error.error }, headers: { 'stripe-should-retry': 'false' } }
    }
  }
}

function answer(ledger: Ledger, request: ApiRequest, isServer: boolean): object {
  const { method, path } = request
  const values = method === 'GET' ? request.query : new URLSearchParams(request.body)
  const [, id, verb] = /^\/v1\/payment_intents\/(pi_\w+)(?:\/(\w+))?$/.exec(path) ?? []
  if (id !== undefined) {
    const intent = ledger.getIntent(id)
    if (!isServer && textOf(values, 'client_secret') !== intent.client_secret)
      throw invalidRequest('The client_secret provided does not match the PaymentIntent.')
    if (method === 'GET' && verb === undefined) return isServer ? expanded(ledger, intent, values) : publicPart(intent)
    if (method === 'POST' && verb === 'confirm') return publicPart(ledger.confirm(intent, cardOf(values)))
    if (method === 'POST' && verb === 'cancel' && isServer) return ledger.cancel(intent)
  }
  if (isServer && method === 'POST' && path === '/v1/payment_intents') return createIntent(ledger, values)
  if (isServer && method === 'POST' && path === '/v1/customers') {
    const metadata = textsOf(values, 'metadata')
    return ledger.createCustomer({ name: textOf(values, 'name'), email: textOf(values, 'email'), metadata })
  }
  const [, customerId] = /^\/v1\/customers\/(\w+)$/.exec(path) ?? []
  if (isServer && method === 'DELETE' && customerId !== undefined) return ledger.deleteCustomer(customerId)
  if (isServer && method === 'GET' && path === '/v1/disputes') {
    const wanted = textOf(values, 'payment_intent')
    const data = [...ledger.disputes.values()].filter(({ payment_intent: of }) => wanted === null || of === wanted)
    return { object: 'list', data, has_more: false, url: path }
  }
  throw invalidRequest(`Unrecognized request URL (${method}: ${path}).`, undefined, { status: 404 })
}

function createIntent(ledger: Ledger, values: URLSearchParams): StripeIntent {
  const unknown = [...values.keys()].find((name) => !intentParameters.has(name.split('[', 1)[0]!))
  if (unknown !== undefined)
    throw invalidRequest(`Received unknown parameter: ${unknown}`, 'parameter_unknown', { param: unknown })
  if (values.get('automatic_payment_methods[enabled]') !== 'true')
    throw invalidRequest('automatic_payment_methods must be enabled.')
  const amount = textOf(values, 'amount') ?? ''
  if (!/^[1-9]\d{0,7}$/.test(amount)) throw invalidRequest('Invalid positive integer', 'parameter_invalid_integer')
  return ledger.createIntent({
    amount: Number(amount),
    currency: textOf(values, 'currency') ?? '',
    customer: textOf(values, 'customer'),
    description: textOf(values, 'description'),
    metadata: textsOf(values, 'metadata'),
  })
}

/** What a page may see of an intent. */
function publicPart({ customer: _customer, metadata: _metadata, ...seen }: StripeIntent): object {
  return seen
}

function expanded(ledger: Ledger, intent: StripeIntent, values: URLSearchParams): object {
  if (values.get('expand[0]') !== 'latest_charge' || intent.latest_charge === null) return intent
  return { ...intent, latest_charge: ledger.findCharge(intent.latest_charge) ?? null }
}

function cardOf(values: URLSearchParams): Card {
  const card = testCards[textOf(values, 'payment_method_data[card][number]') ?? '']
  if (card) return card
  throw new StripeRefusal(402, {
    type: 'card_error',
    code: 'incorrect_number',
    message: 'Your card number is incorrect.',
  })
}

/** A text of a form; null when it is missing. */
const textOf = (values: URLSearchParams, name: string) => values.get(name) || null

/** The texts of a nested part, by name: Stripe's libraries write `metadata[userId]=1`. */
function textsOf(values: URLSearchParams, name: string): Record<string, string> {
  const inner = [...values].filter(([key]) => key.startsWith(`${name}[`))
  return Object.fromEntries(inner.map(([key, value]) => [key.slice(name.length + 1, -1), value]))
}
