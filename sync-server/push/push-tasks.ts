import type { Agent } from 'node:https'
import type { Knex } from 'knex'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import {
  dropPushSubscription,
  findPushSubscription,
  listPushSubscriptions,
  noteDelivered,
  noteFailure,
} from '../devices/push-subscription-store.ts'
import { findEvent, findEventForChange } from '../events/event-store.ts'
import { insertJob } from '../jobs/job-store.ts'
import { RetryLater, type Task, type Tasks } from '../jobs/worker.ts'
import { countPendingOf, findUnalerted, lastAlertAt, listStillPending, noteAlerted } from './alert-store.ts'
import { isPushEndpoint } from './push-endpoints.ts'
import { alertMessage, alertTopic } from './push-message.ts'
import { sendPush } from './send-push.ts'
import { getVapidKeys } from './vapid-keys.ts'

export interface PushTaskDeps {
  readonly db: Knex
  readonly config: Pick<Config, 'publicOrigin' | 'pushHosts' | 'vapidSubject'>
  readonly log: Logger
  /** For tests, whose push service has a certificate of its own. */
  readonly agent?: Agent
  readonly now?: () => Date
}

/** Alerts of one event are at least this far apart. */
const quietMs = 60_000

const mostAttempts = 6

/** Alerting organizers about new applications: one task gathers, one sends to a device. */
export function createPushTasks(deps: PushTaskDeps): Tasks {
  return { 'new-application-push': gather(deps), 'send-push': send(deps) }
}

/**
 * Gathers what an event's organizer has not been told yet into one message per device, each a job of its own, so that a
 * device that fails is tried again without alerting the others twice. Gathering and queueing is one transaction.
 */
function gather({ db, now = () => new Date() }: PushTaskDeps): Task {
  return async (job) => {
    const eventId = Number(job.payload['eventId'])
    return await db.transaction(async (trx) => {
      const event = await findEventForChange(trx, eventId)
      if (!event) return undefined
      const previous = await lastAlertAt(trx, eventId, job.id)
      if (previous && now().getTime() - previous.getTime() < quietMs)
        return { runAgainAt: new Date(previous.getTime() + quietMs) }
      const applicationIds = await findUnalerted(trx, eventId, job.id)
      if (applicationIds.length === 0) return undefined
      await noteAlerted(trx, job.id, applicationIds, now())
      for (const { id } of await listPushSubscriptions(trx, event.organizer_id)) {
        await insertJob(trx, {
          kind: 'send-push',
          key: `send-push:${job.id}:${id}`,
          payload: { subscriptionId: id, eventId, applicationIds },
          maxAttempts: mostAttempts,
        })
      }
      return undefined
    })
  }
}

/** Sends one alert to one device, as things are now: what was decided meanwhile is not announced any more. */
function send({ db, config, log, agent, now = () => new Date() }: PushTaskDeps): Task {
  return async ({ payload }) => {
    const subscription = await findPushSubscription(db, Number(payload['subscriptionId']))
    const event = await findEvent(db, Number(payload['eventId']))
    if (!subscription || subscription.user_id !== event?.organizer_id) return undefined
    if (!isPushEndpoint(subscription.endpoint, config.pushHosts)) {
      await dropPushSubscription(db, subscription.id)
      return undefined
    }
    const applications = await listStillPending(db, payload['applicationIds'])
    if (applications.length === 0) return undefined

    const message = alertMessage({
      organizerId: event.organizer_id,
      event,
      applications,
      pendingCount: await countPendingOf(db, event.organizer_id),
      publicOrigin: config.publicOrigin,
    })
    const address = { vapidKeys: await getVapidKeys(db), vapidSubject: config.vapidSubject, agent }
    const delivery = await sendPush(subscription, message, alertTopic(event.id), address, now())
    if (delivery.outcome === 'delivered') {
      await noteDelivered(db, subscription.id, now())
    } else if (delivery.outcome === 'gone') {
      await dropPushSubscription(db, subscription.id)
    } else {
      await noteFailure(db, subscription.id)
      if (delivery.outcome === 'retry') throw new RetryLater(delivery.reason, delivery.afterMs)
      log.warn({ subscription: subscription.id, reason: delivery.reason }, 'a push service refused an alert')
    }
    return undefined
  }
}
