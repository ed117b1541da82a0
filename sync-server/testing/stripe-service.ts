import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { apiVersion, createApi, type ApiAnswer } from './stripe-service/api.ts'
import { createLedger, type StripeIntent } from './stripe-service/ledger.ts'
import { answerPeople, findPage } from './stripe-service/pages.ts'
import type { Card } from './stripe-service/stripe-objects.ts'
import { createWebhookSender, type DeliveryOptions, type StripeEvent } from './stripe-service/webhook-sender.ts'

export interface StripeServiceOptions {
  /** Signs what is sent to our server, whsec_…: the same as its STRIPE_WEBHOOK_SECRET. */
  readonly webhookSecret: string
  /** Where events are sent by themselves, in order and again until answered; null or missing: only by `deliver`. */
  readonly webhookUrl?: string | null
  /** 0 takes a free one. */
  readonly port?: number
  /** Hears of everything that happens. */
  readonly onEvent?: (event: StripeEvent) => void
}

/** What becomes of a request: the connection breaks before or after it took effect, or Stripe fails with this status. */
type Trouble = 'unreachable' | 'answer lost' | number

/** A small Stripe on loopback: one account in test mode. */
export type StripeService = Awaited<ReturnType<typeof startStripeService>>

/** Starts it on a free port, with its own books. Nothing is kept when it closes. */
export async function startStripeService(options: StripeServiceOptions) {
  const sender = createWebhookSender(options.webhookSecret, apiVersion, options.onEvent)
  const ledger = createLedger(sender.note)
  const api = createApi(ledger)
  const requests: { method: string; path: string; idempotencyKey: string | null }[] = []
  const troubles: { readonly how: Trouble; readonly path: string; times: number }[] = []
  const hooks: { readonly path: string; readonly act: () => void | Promise<void> }[] = []
  let webhookUrl = options.webhookUrl ?? null
  sender.sendTo(webhookUrl)

  function nextTrouble(path: string): Trouble | undefined {
    const found = troubles.find((trouble) => trouble.times > 0 && path.includes(trouble.path))
    if (found) found.times -= 1
    return found?.how
  }

  async function answerCall(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const body = await text(request)
    const path = url.pathname
    const idempotencyKey = headerOf(request, 'idempotency-key')
    const key = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? url.searchParams.get('key')
    if (key?.startsWith('pk_') !== true) requests.push({ method: request.method ?? '', path, idempotencyKey })
    const trouble = nextTrouble(path)
    if (trouble === 'unreachable') return void request.socket.destroy()
    if (typeof trouble === 'number') {
      return send(response, {
        status: trouble,
        body: { error: { type: trouble === 429 ? 'rate_limit_error' : 'api_error', message: 'Something went wrong.' } },
      })
    }
    const answer = api({
      method: request.method ?? '',
      path,
      query: url.searchParams,
      body,
      key,
      version: headerOf(request, 'stripe-version'),
      idempotencyKey,
    })
    const hook = hooks.findIndex((candidate) => path.includes(candidate.path))
    if (hook >= 0) await hooks.splice(hook, 1)[0]?.act()
    if (trouble === 'answer lost') return void request.socket.destroy()
    send(response, answer)
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://stripe')
    // A page of ours calls from another origin, as it calls Stripe.
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', 'authorization, content-type, stripe-version, idempotency-key')
    response.setHeader('cross-origin-resource-policy', 'cross-origin')
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    if (url.pathname.startsWith('/v1/')) return await answerCall(request, response, url)
    const page = request.method === 'GET' ? findPage(url.pathname) : undefined
    if (page) return void response.writeHead(200, { 'content-type': page.type }).end(page.text)
    const { method } = request
    const answer = answerPeople(ledger, intentOf, { method, path: url.pathname, body: await text(request) })
    if (answer) return send(response, answer)
    response.writeHead(404).end()
  }

  function intentOf(clientSecret: string): StripeIntent {
    const intent = ledger.getIntent(clientSecret.split('_secret_')[0] ?? '')
    if (intent.client_secret !== clientSecret) throw new Error('This client secret opens no intent')
    return intent
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      send(response, { status: 500, body: { error: { type: 'api_error', message: String(error) } } })
    })
  })
  // Longer than any test is busy with something else: a connection that closes as it is used again looks like trouble.
  server.keepAliveTimeout = 300_000
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve),
  )

  return {
    /** For STRIPE_API_ORIGIN; also serves /endive/stripe.js. */
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    webhookSecret: options.webhookSecret,
    /** Every request with a secret key, oldest first. */
    requests,
    /** Everything that happened, oldest first. */
    events: sender.events,
    intents: () => [...ledger.intents.values()],
    intentOf,
    /** Charges a card as a page does. Throws `StripeRefusal` for a refused card, and for an intent that is over. */
    confirm: (clientSecret: string, card: Card = 'good') => ledger.confirm(intentOf(clientSecret), card),
    /** Ends what needs authentication or takes its time. */
    finish: (clientSecret: string, outcome: 'succeeded' | 'failed') => ledger.finish(intentOf(clientSecret), outcome),
    /** As in Stripe's dashboard. */
    cancel: (id: string) => ledger.cancel(ledger.getIntent(id)),
    /** Gives back all that is left, or so many cents. */
    refund: (id: string, cents?: number) => ledger.refund(ledger.getIntent(id), cents),
    failRefund: (refundId: string) => ledger.failRefund(known(ledger.refunds.get(refundId))),
    dispute: (id: string, kind?: 'chargeback' | 'inquiry') => ledger.dispute(ledger.getIntent(id), kind),
    closeDispute: (disputeId: string, outcome: 'won' | 'lost') =>
      ledger.closeDispute(known(ledger.disputes.get(disputeId)), outcome),
    /** Changes an intent behind everyone's back, as only a mistake or an attacker could. */
    tamper: (id: string, changes: Partial<StripeIntent>) => void Object.assign(ledger.getIntent(id), changes),
    /** An intent that our server never made, with metadata of its maker's choice. */
    addForeignIntent: (values: { amount: number; metadata: Record<string, string> }) =>
      ledger.createIntent({ ...values, currency: 'usd', customer: null, description: null }),
    sendEventsTo: (url: string | null) => {
      webhookUrl = url
      sender.sendTo(url)
    },
    /** Sends an event to our server again, late, or forged; answers the HTTP status. */
    deliver: async (
      event: StripeEvent,
      { url = webhookUrl ?? undefined, ...delivery }: DeliveryOptions & { readonly url?: string } = {},
    ) => {
      if (url === undefined) throw new Error('It was not said where events are to be sent')
      return await sender.deliver(url, event, delivery)
    },
    /** The next requests whose path contains `path` fare like this. */
    trouble: (how: Trouble, { path = '', times = 1 }: { path?: string; times?: number } = {}) =>
      void troubles.push({ how, path, times }),
    /** Everything is well again. */
    clearTroubles: () => void troubles.splice(0),
    /** Runs when a request whose path contains `path` has taken effect and before it is answered; once. */
    beforeAnswer: (path: string, act: () => void | Promise<void>) => void hooks.push({ path, act }),
    close: async () => {
      sender.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('There is no such thing')
  return value
}

function headerOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' ? value : null
}

function send(response: ServerResponse, { status, body, headers = {} }: ApiAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_beaconry', ...headers })
  response.end(JSON.stringify(body))
}
