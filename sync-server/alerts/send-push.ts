import type { Agent } from 'node:https'
import type { Knex } from 'knex'
import type { Logger } from 'pino'
import webPush from 'web-push'
import type { Config } from '../config.ts'
import type { ApplicantPhoneRow, PushSubscriptionRow } from '../db/rows/message-rows.ts'
import { noteInJob, type ClaimedJob } from '../jobs/job-queue.ts'
import { type JobRun, RetryLater } from '../jobs/worker.ts'
import { publicAddressesOnly, parsePushEndpoint } from './push-endpoints.ts'
import { repeated, type PushMessage } from './alert-message.ts'

interface VapidKeys {
  /** URL-safe base64; the page subscribes with it. */
  readonly publicKey: string
  readonly privateKey: string
}

/** The keys are kept because every subscription is bound to this pair. */
export async function getVapidKeys(db: Knex): Promise<VapidKeys> {
  const read = () => db('vapid_keys').first('publicKey', 'privateKey')
  const stored = await read()
  if (stored) return stored
  const made = webPush.generateVAPIDKeys()
  await db('vapid_keys').insert({ publicKey: made.publicKey, privateKey: made.privateKey }).onConflict('id').ignore()
  const kept = await read()
  if (!kept) throw new Error('The VAPID keys were not kept')
  return kept
}

const timeoutMs = 10_000

const longestRetryAfterMs = 6 * 3600_000

interface Manner {
  /** Replaces a waiting message of the same topic; at most 32 letters, digits, - and _. */
  readonly topic: string
  readonly timeToLiveSeconds: number
}

export interface PushAddress {
  readonly vapidKeys: VapidKeys
  readonly vapidSubject: string
  /** A test's push service has its own certificate and needs this. */
  readonly agent?: Agent | undefined
}

/**
 * `gone` means that the subscription is unknown, and `retry` that the message was not taken now; `afterMs` is what the
 * service asks for. `unknown` means that there was no answer, so it may have been taken, and `refused` that this
 * message will never pass.
 */
export type Delivery =
  | { readonly outcome: 'delivered' }
  | { readonly outcome: 'gone' }
  | { readonly outcome: 'unknown' | 'refused'; readonly reason: string }
  | { readonly outcome: 'retry'; readonly reason: string; readonly afterMs: number }

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

/** An error without a status is a timeout, a broken connection or a name that does not resolve. */
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

/** Seconds or a date; 0 for none that can be read. */
export function retryAfterMs(value: string | undefined, now: Date): number {
  if (value === undefined) return 0
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now.getTime()
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), longestRetryAfterMs) : 0
}

export interface PushTaskDeps {
  readonly db: Knex
  readonly config: Pick<Config, 'publicOrigin' | 'pushHosts' | 'vapidSubject'>
  readonly log: Logger
  readonly agent?: Agent
  readonly now?: () => Date
}

interface Recipient {
  readonly table: 'push_subscriptions' | 'applicant_phones'
  readonly row: Pick<PushSubscriptionRow | ApplicantPhoneRow, 'id' | 'endpoint' | 'p256dh' | 'auth'>
}

/**
 * Throws when the message is to be tried again; does nothing once another run holds the job. A message without an
 * answer may have arrived: the next one goes out as `repeated`.
 */
export async function deliver(
  { db, config, log, agent, now = () => new Date() }: PushTaskDeps,
  job: ClaimedJob,
  run: JobRun,
  { table, row: { id, endpoint: stored, p256dh, auth } }: Recipient,
  message: PushMessage,
  timeToLiveSeconds: number,
): Promise<void> {
  const drop = async () => void (await db(table).where({ endpoint: stored }).del())
  const endpoint = parsePushEndpoint(stored, config.pushHosts)
  if (endpoint === undefined) return await drop()
  const address = {
    vapidKeys: await getVapidKeys(db),
    vapidSubject: config.vapidSubject,
    // The operator's hosts may be in the server's own network.
    agent: agent ?? (config.pushHosts === null ? publicAddressesOnly : undefined),
  }
  await noteInJob(db, job, { mayHaveArrived: true })
  if (!(await run.stillHeld())) return
  const mayHaveArrived = job.payload['mayHaveArrived'] === true
  const delivery = await sendPush(
    { endpoint, p256dh, auth },
    mayHaveArrived ? repeated(message) : message,
    { topic: message.notification.tag, timeToLiveSeconds },
    address,
    now(),
  )
  if (delivery.outcome === 'delivered')
    return void (await db(table).where({ id }).update({ lastSuccessAt: now(), failureCount: 0 }))
  if (delivery.outcome === 'gone') return await drop()
  await db(table).where({ id }).increment('failureCount', 1)
  if (delivery.outcome === 'unknown') throw new RetryLater(delivery.reason, 0)
  await noteInJob(db, job, { mayHaveArrived })
  if (delivery.outcome === 'retry') throw new RetryLater(delivery.reason, delivery.afterMs)
  const recipient = `${table === 'applicant_phones' ? 'phone' : 'subscription'} ${id}`
  log.warn({ recipient, reason: delivery.reason }, 'a push service refused an alert')
}
