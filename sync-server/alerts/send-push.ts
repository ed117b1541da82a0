import type { Agent } from 'node:https'
import type { Knex } from 'knex'
import type { Logger } from 'pino'
import webPush from 'web-push'
import type { Config } from '../config.ts'
import { noteInJob, type ClaimedJob } from '../jobs/job-queue.ts'
import { type JobRun, RetryLater } from '../jobs/worker.ts'
import { publicAddressesOnly, parsePushEndpoint } from './push-endpoints.ts'
import { repeated, type PushMessage } from './push-message.ts'

interface VapidKeys {
  /** URL-safe base64; the page subscribes with it. */
  readonly publicKey: string
  readonly privateKey: string
}

/**
 * This installation's key pair: made when first asked for, and kept in the database, for every subscription is bound to
 * it. Of several processes that start together one makes it.
 */
export async function getVapidKeys(db: Knex): Promise<VapidKeys> {
  const stored = await readKeys(db)
  if (stored) return stored
  const made = webPush.generateVAPIDKeys()
  await db('vapid_keys').insert({ publicKey: made.publicKey, privateKey: made.privateKey }).onConflict('id').ignore()
  const kept = await readKeys(db)
  if (!kept) throw new Error('The VAPID keys were not kept')
  return kept
}

async function readKeys(db: Knex): Promise<VapidKeys | undefined> {
  return await db('vapid_keys').first('publicKey', 'privateKey')
}

const timeoutMs = 10_000

const longestRetryAfterMs = 6 * 3600_000

/** How a push service is to treat a message. */
interface Manner {
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

export interface PushTaskDeps {
  readonly db: Knex
  readonly config: Pick<Config, 'publicOrigin' | 'pushHosts' | 'vapidSubject'>
  readonly log: Logger
  /** For tests, whose push service has a certificate of its own. */
  readonly agent?: Agent
  readonly now?: () => Date
}

/** Whom a message is for, and what is written down about how it went. */
export interface Recipient {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
  /** For the log. */
  readonly name: string
  /** It can never be reached again. */
  drop(): Promise<void>
  noteDelivered(): Promise<void>
  noteFailure(): Promise<void>
}

/**
 * Sends one message to one device, unless another run holds the job by now. Throws when it is to be tried again. An
 * address that is not a push service's is never dialled.
 *
 * What left and was not answered may have arrived: the service cannot be asked, and a killed server asks nothing.
 * The job therefore keeps a mark from before the message leaves until the service has said that it did not take it, and a
 * message of a marked job goes out as a repeated one.
 */
export async function deliver(
  { db, config, log, agent, now = () => new Date() }: PushTaskDeps,
  job: ClaimedJob,
  run: JobRun,
  recipient: Recipient,
  message: PushMessage,
  timeToLiveSeconds: number,
): Promise<void> {
  const endpoint = parsePushEndpoint(recipient.endpoint, config.pushHosts)
  if (endpoint === undefined) return await recipient.drop()
  const address = {
    vapidKeys: await getVapidKeys(db),
    vapidSubject: config.vapidSubject,
    // Hosts that the operator has named may well stand in the server's own network.
    agent: agent ?? (config.pushHosts === null ? publicAddressesOnly : undefined),
  }
  await noteInJob(db, job, { mayHaveArrived: true })
  if (!(await run.stillHeld())) return
  const mayHaveArrived = job.payload['mayHaveArrived'] === true
  const delivery = await sendPush(
    { endpoint, p256dh: recipient.p256dh, auth: recipient.auth },
    mayHaveArrived ? repeated(message) : message,
    { topic: message.notification.tag, timeToLiveSeconds },
    address,
    now(),
  )
  if (delivery.outcome === 'delivered') return await recipient.noteDelivered()
  if (delivery.outcome === 'gone') return await recipient.drop()
  await recipient.noteFailure()
  if (delivery.outcome === 'unknown') throw new RetryLater(delivery.reason, 0)
  await noteInJob(db, job, { mayHaveArrived })
  if (delivery.outcome === 'retry') throw new RetryLater(delivery.reason, delivery.afterMs)
  log.warn({ recipient: recipient.name, reason: delivery.reason }, 'a push service refused an alert')
}
