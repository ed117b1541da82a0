import { lockPushSubscriptions, quietHoursOf } from '../../alerts/push-subscription-store.ts'
import { quietUntil } from '#shared/alerts/quiet-hours.ts'
import { findEventForChange } from '../../events/event-store.ts'
import { insertJob } from '../../jobs/job-store.ts'
import type { Task } from '../../jobs/worker.ts'
import { findUnalerted, lastAlertAt, noteAlerted } from './alert-store.ts'
import type { PushTaskDeps } from '../../alerts/deliver.ts'
import { joinWaitingAlert, queueWaitingAlert } from '../../alerts/waiting-alerts.ts'

export const alertKind = 'send-push'

/** Alerts of one event are at least this far apart. */
const quietMs = 60_000

const mostAttempts = 6

/**
 * Gathers what an event's organizer has not been told yet into one message per device, each a job of its own, so that a
 * device that fails is tried again without alerting the others twice. For a device in its quiet hours everything waits in
 * one job for their end. Gathering and queueing is one transaction.
 */
export function gatherAlerts({ db, now = () => new Date() }: Pick<PushTaskDeps, 'db' | 'now'>): Task {
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
      // Locked: of two that gather for one device at once the later one finds the waiting alert of the other.
      for (const device of await lockPushSubscriptions(trx, event.organizerId)) {
        if (await joinWaitingAlert(trx, device.id, applicationIds)) continue
        const hours = quietHoursOf(device)
        const until = hours && quietUntil(hours, now())
        if (until) {
          await queueWaitingAlert(trx, { subscriptionId: device.id, applicationIds, gatheredBy: job.id, until })
          continue
        }
        await insertJob(trx, {
          kind: alertKind,
          key: `${alertKind}:${job.id}:${device.id}`,
          payload: { subscriptionId: device.id, eventId, applicationIds },
          maxAttempts: mostAttempts,
        })
      }
      return undefined
    })
  }
}
