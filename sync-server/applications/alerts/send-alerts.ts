import type { Knex } from 'knex'
import { quietUntil } from '#shared/alerts/quiet-hours.ts'
import type { PushSubscriptionRow } from '../../db/rows/alert-rows.ts'
import {
  dropPushSubscription,
  findPushSubscription,
  noteDelivered,
  noteFailure,
  quietHoursOf,
} from '../../alerts/push-subscription-store.ts'
import type { Task } from '../../jobs/worker.ts'
import { countPendingOf, listStillPending } from './alert-store.ts'
import { deliver, type PushTaskDeps, type Recipient } from '../../alerts/deliver.ts'
import { alertMessage, testMessage } from '../../alerts/push-message.ts'

/** An alert older than this is of no use. */
const alertSeconds = 12 * 3600
/** Nobody looks at the screen longer than this for a test. */
const testSeconds = 120

/** An organizer's device as a message goes to it. */
export function organizerDevice(db: Knex, row: PushSubscriptionRow, now: () => Date): Recipient {
  const { id, endpoint, p256dh, auth } = row
  return {
    endpoint,
    p256dh,
    auth,
    name: `subscription ${id}`,
    drop: () => dropPushSubscription(db, id),
    noteDelivered: () => noteDelivered(db, id, now()),
    noteFailure: () => noteFailure(db, id),
  }
}

/**
 * Sends one alert to one device, as things are now: what was decided meanwhile is not announced any more. The quiet hours
 * are looked at again: a retry may fall into them, and they may have been changed since.
 */
export function sendAlert(deps: PushTaskDeps): Task {
  return async (job, run) => {
    const { payload } = job
    const { db, config, now = () => new Date() } = deps
    const subscription = await findPushSubscription(db, Number(payload['subscriptionId']))
    if (!subscription) return undefined
    const applications = await listStillPending(db, subscription.userId, payload['applicationIds'])
    if (applications.length === 0) return undefined
    const hours = quietHoursOf(subscription)
    const until = hours && quietUntil(hours, now())
    if (until) return { runAgainAt: until }
    const message = alertMessage({
      organizerId: subscription.userId,
      applications,
      pendingCount: await countPendingOf(db, subscription.userId),
      publicOrigin: config.publicOrigin,
    })
    await deliver(deps, job, run, organizerDevice(db, subscription, now), message, {
      topic: message.notification.tag,
      timeToLiveSeconds: alertSeconds,
    })
    return undefined
  }
}

/** Sends what a person asked for to see that alerts arrive; they are there, so quiet hours do not matter. */
export function sendTestAlert(deps: PushTaskDeps): Task {
  return async (job, run) => {
    const { payload } = job
    const { db, config, now = () => new Date() } = deps
    const subscription = await findPushSubscription(db, Number(payload['subscriptionId']))
    if (!subscription) return undefined
    const message = testMessage({
      userId: subscription.userId,
      testId: String(payload['testId']),
      pendingCount: await countPendingOf(db, subscription.userId),
      publicOrigin: config.publicOrigin,
    })
    await deliver(deps, job, run, organizerDevice(db, subscription, now), message, {
      topic: message.notification.tag,
      timeToLiveSeconds: testSeconds,
    })
    return undefined
  }
}
