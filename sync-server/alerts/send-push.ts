import type { Agent } from 'node:https'
import webPush from 'web-push'
import type { PushMessage } from './push-message.ts'
import type { VapidKeys } from './vapid-keys.ts'

const timeoutMs = 10_000

const longestRetryAfterMs = 6 * 3600_000

/** How a push service is to treat a message. */
export interface Manner {
  /** One that waits for the device is replaced by the next of the same topic; at most 32 letters, digits, - and _. */
  readonly topic: string
  /** Older than this it is of no use, and the service drops it. */
  readonly timeToLiveSeconds: number
}

export interface PushAddress {
  readonly vapidKeys: VapidKeys
  readonly vapidSubject: string
  /** For tests, whose push service has a certificate of its own. */
  readonly agent?: Agent | undefined
}

/**
 * `gone`: the service knows the subscription no more. `retry`: it did not take the message now; `afterMs` is what it asked
 * for. `unknown`: it did not say, and may have taken it. `refused`: this message will never pass.
 */
export type Delivery =
  | { readonly outcome: 'delivered' }
  | { readonly outcome: 'gone' }
  | { readonly outcome: 'unknown' | 'refused'; readonly reason: string }
  | { readonly outcome: 'retry'; readonly reason: string; readonly afterMs: number }

/** Encrypts a message for one subscription and hands it to its push service. Never throws. */
export async function sendPush(
  subscription: { readonly endpoint: string; readonly p256dh: string; readonly auth: string },
  message: PushMessage,
  { topic, timeToLiveSeconds }: Manner,
  address: PushAddress,
  now: Date,
): Promise<Delivery> {
  const { endpoint, p256dh, auth } = subscription
  try {
    await webPush.sendNotification({ endpoint, keys: { p256dh, auth } }, JSON.stringify(message), {
      vapidDetails: { subject: address.vapidSubject, ...address.vapidKeys },
      TTL: timeToLiveSeconds,
      topic,
      urgency: 'high',
      timeout: timeoutMs,
      ...(address.agent ? { agent: address.agent } : {}),
    })
    return { outcome: 'delivered' }
  } catch (error) {
    return deliveryOf(error, now)
  }
}

/** A failure without a status: a timeout, a broken connection, a name that does not resolve. */
function deliveryOf(error: unknown, now: Date): Delivery {
  const { statusCode, headers } = error as { statusCode?: number; headers?: Record<string, string | undefined> }
  if (statusCode === undefined)
    return { outcome: 'unknown', reason: error instanceof Error ? error.message : String(error) }
  if (statusCode === 404 || statusCode === 410) return { outcome: 'gone' }
  const reason = `the push service answered ${statusCode}`
  if (statusCode === 429 || statusCode >= 500)
    return { outcome: 'retry', reason, afterMs: retryAfterMs(headers?.['retry-after'], now) }
  return { outcome: 'refused', reason }
}

/** Retry-After as seconds or as a date; 0 when there is none that can be read. */
export function retryAfterMs(value: string | undefined, now: Date): number {
  if (value === undefined) return 0
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now.getTime()
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), longestRetryAfterMs) : 0
}
