import type { Agent } from 'node:https'
import type { Knex } from 'knex'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { noteInJob, type ClaimedJob } from '../jobs/job-queue.ts'
import { RetryLater, type JobRun } from '../jobs/worker.ts'
import { publicAddressesOnly } from './public-addresses.ts'
import { parsePushEndpoint } from './push-endpoints.ts'
import { repeated, type PushMessage } from './push-message.ts'
import { sendPush, type Manner } from './send-push.ts'
import { getVapidKeys } from './vapid-keys.ts'

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
 * Sends one message to one device, unless the job is somebody else's by now. Throws when it is to be tried again. An
 * address that is not a push service's is never dialled.
 *
 * What left and was not answered may have arrived: the service cannot be asked, and a server that was killed asks nobody.
 * The job therefore keeps a mark from before the message leaves until the service has said that it did not take it, and a
 * message of a marked job goes out as a repeated one.
 */
export async function deliver(
  { db, config, log, agent, now = () => new Date() }: PushTaskDeps,
  job: ClaimedJob,
  run: JobRun,
  recipient: Recipient,
  message: PushMessage,
  manner: Manner,
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
    manner,
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
