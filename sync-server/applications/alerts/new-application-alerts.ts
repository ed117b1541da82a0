import type { Knex } from 'knex'
import { quietUntil } from '#shared/alerts/quiet-hours.ts'
import { quietHoursOf, lockPushSubscriptions } from '../../alerts/push-subscription-store.ts'
import type { Task } from '../../jobs/worker.ts'
import { countPendingOf, listStillPending, findUnalerted, lastAlertAt, noteAlerted } from './alert-store.ts'
import { deliver, type PushTaskDeps } from '../../alerts/send-push.ts'
import { alertMessage, testMessage, type PushMessage } from '../../alerts/alert-message.ts'
import { joinWaiting, quietAlertKind } from '../../alerts/waiting-alerts.ts'
import { findEventForChange } from '../../events/event-store.ts'
import { insertJob } from '../../jobs/job-store.ts'

export const alertKind = 'send-push'

const quietMs = 60_000

const mostAttempts = 6

/**
 * One message per device, each a job of its own, so that a retry alerts no other device twice. In quiet hours
 * everything waits in one job.
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
      // Locked, so that a later gatherer finds the waiting alert.
      for (const device of await lockPushSubscriptions(trx, event.organizerId)) {
        if (await joinWaiting(trx, quietAlertKind, { subscriptionId: device.id }, applicationIds)) continue
        const hours = quietHoursOf(device)
        const until = hours && quietUntil(hours, now())
        const kind = until ? quietAlertKind : alertKind
        await insertJob(trx, {
          kind,
          key: `${kind}:${job.id}:${device.id}`,
          payload: { subscriptionId: device.id, applicationIds, ...(until ? {} : { eventId }) },
          ...(until && { runAt: until }),
          maxAttempts: mostAttempts,
        })
      }
      return undefined
    })
  }
}

const alertSeconds = 12 * 3600
/** An organizer waits no longer than this for a test. */
const testSeconds = 120

interface Told {
  readonly db: Knex
  readonly payload: Readonly<Record<string, unknown>>
  readonly userId: number
  readonly publicOrigin: string
}

/** `write` answers undefined for no message. The quiet hours are looked at again: a retry may fall into them. */
export function sendToDevice(
  deps: PushTaskDeps,
  write: (told: Told) => Promise<PushMessage | undefined>,
  { lastsSeconds, evenInQuietHours = false }: { readonly lastsSeconds: number; readonly evenInQuietHours?: boolean },
): Task {
  return async (job, run) => {
    const { db, config, now = () => new Date() } = deps
    const { payload } = job
    const device = await db('push_subscriptions')
      .where({ id: Number(payload['subscriptionId']) })
      .first()
    if (!device) return undefined
    const { userId } = device
    const badge = await countPendingOf(db, userId)
    const message = await write({ db, payload, userId, publicOrigin: config.publicOrigin })
    if (!message) return undefined
    const hours = evenInQuietHours ? null : quietHoursOf(device)
    const until = hours && quietUntil(hours, now())
    if (until) return { runAgainAt: until }
    await deliver(
      deps,
      job,
      run,
      { table: 'push_subscriptions', row: device },
      { ...message, app_badge: badge },
      lastsSeconds,
    )
    return undefined
  }
}

export const sendAlert = (deps: PushTaskDeps): Task =>
  sendToDevice(
    deps,
    async ({ db, payload, userId, publicOrigin }) => {
      const applications = await listStillPending(db, userId, payload['applicationIds'])
      if (applications.length === 0) return undefined
      return alertMessage({ organizerId: userId, applications, publicOrigin })
    },
    { lastsSeconds: alertSeconds },
  )

/** A person at the device asked for it. */
export const sendTestAlert = (deps: PushTaskDeps): Task =>
  sendToDevice(
    deps,
    async ({ payload, userId, publicOrigin }) =>
      testMessage({ userId, testId: String(payload['testId']), publicOrigin }),
    { lastsSeconds: testSeconds, evenInQuietHours: true },
  )
