import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import Stripe from 'stripe'

export interface DeliveryOptions {
  /** Another secret than the one agreed on: a forged event. */
  readonly secret?: string
  /** When it was signed; now by default. */
  readonly signedAt?: Date
}

/** Waits before an event is sent again that was not answered with 2xx. Stripe goes on for three days. */
const retriesAfterMs = [500, 2_000, 5_000, 15_000]

/** An event as a webhook carries it. */
export type StripeEvent = ReturnType<typeof newEvent>

const newEvent = (apiVersion: string, type: string, object: object) => ({
  id: `evt_${randomBytes(12).toString('hex')}`,
  object: 'event',
  api_version: apiVersion,
  created: Math.floor(Date.now() / 1000),
  // As it is at this moment: the object itself goes on changing.
  data: { object: structuredClone(object) },
  livemode: false,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type,
})

/** Keeps what happened and tells a server of it, signed as Stripe does, in the order it happened. */
export function createWebhookSender(
  secret: string,
  apiVersion: string,
  onEvent: (event: StripeEvent) => void = () => undefined,
) {
  const events: StripeEvent[] = []
  const stopped = new AbortController()
  let url: string | null = null
  let queue: Promise<void> = Promise.resolve()

  /** Sends an event to an address, signed, whatever was sent before; answers the HTTP status. */
  async function deliver(target: string, event: StripeEvent, options: DeliveryOptions = {}): Promise<number> {
    const payload = JSON.stringify(event)
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload,
      secret: options.secret ?? secret,
      timestamp: Math.floor((options.signedAt ?? new Date()).getTime() / 1000),
    })
    const answer = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
      body: payload,
      signal: stopped.signal,
    })
    await answer.arrayBuffer()
    return answer.status
  }

  async function send(target: string, event: StripeEvent): Promise<void> {
    for (const waitMs of [0, ...retriesAfterMs]) {
      await delay(waitMs, undefined, { signal: stopped.signal })
      const status = await deliver(target, event).catch(() => 0)
      if (status >= 200 && status < 300) return
    }
  }

  return {
    /** Everything that happened, oldest first. */
    events,
    deliver,
    /** Sends to this address what happens from now on; null: nothing is sent by itself. */
    sendTo: (target: string | null) => {
      url = target
    },
    note: (type: string, object: object) => {
      const event = newEvent(apiVersion, type, object)
      events.push(event)
      onEvent(event)
      const target = url
      // It ends early where the service is closed.
      if (target !== null) queue = queue.then(() => send(target, event)).catch(() => undefined)
    },
    close: () => stopped.abort(),
  }
}
