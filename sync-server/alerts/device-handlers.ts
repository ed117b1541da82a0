import { randomUUID } from 'node:crypto'
import type { AlertedDevice } from '#shared/alerts/device-calls.ts'
import { signedIn } from '../calls/access.ts'
import type { PushSubscriptionRow } from '../db/rows/message-rows.ts'
import type { HandlerCall, Handlers } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { insertJob } from '../jobs/job-store.ts'
import { storedEndpoint, acceptSubscription } from './push-endpoints.ts'
import { testAlertKind, wakeWaitingAlerts } from './waiting-alerts.ts'
import { getVapidKeys } from './send-push.ts'
import { quietColumns, quietHoursOf, savePushSubscription } from './push-subscription-store.ts'

export const deviceHandlers = {
  /** Public: applicants subscribe with it too. */
  getPushKey: async (call) => ({ publicKey: (await getVapidKeys(call.db)).publicKey }),

  listAlertedDevices: async (call) => {
    const { userId } = signedIn(call)
    const rows = await call.db('push_subscriptions').where({ userId }).orderBy('id')
    const devices = rows.map((row) => presentDevice(row, call))
    return devices.sort((one, other) => Number(other.current) - Number(one.current))
  },

  subscribePush: async (call) => {
    const { userId } = signedIn(call)
    const subscription = acceptSubscription(call.body, call.config.pushHosts)
    const saved = await savePushSubscription(call.db, {
      ...subscription,
      userId,
      sessionHash: call.sessionHash,
      // Two nameless devices must not replace each other.
      deviceId: call.device?.id ?? subscription.endpoint,
      deviceName: call.device?.name ?? null,
      timeZone: call.body.timeZone ?? null,
    })
    if (saved === 'session-ended')
      throw new ProblemError('session_revoked', 'This session was ended. Please sign in again.')
    return undefined
  },

  unsubscribePush: async (call) => {
    // Only the caller's own row is removed: knowing another user's endpoint must not silence their device.
    await call.db('push_subscriptions').where(ownEndpoint(call)).del()
    return undefined
  },

  endAlerts: async (call) => {
    const { userId } = signedIn(call)
    const ended = await call.db('push_subscriptions').where({ id: call.params.id, userId }).del()
    if (ended === 0) throw unknownDevice()
    return undefined
  },

  setQuietHours: async (call) => {
    const { userId } = signedIn(call)
    const [row] = await call
      .db('push_subscriptions')
      .where({ id: call.params.id, userId })
      .update(quietColumns(call.body.quietHours))
      .returning('*')
    if (!row) throw unknownDevice()
    await wakeWaitingAlerts(call.db, row.id)
    return presentDevice(row, call)
  },

  setShowNames: async (call) => {
    const { userId } = signedIn(call)
    const { showNames } = call.body
    const own = call.db('push_subscriptions').where({ id: call.params.id, userId })
    const [row] = await own.update({ showNames }).returning('*')
    if (!row) throw unknownDevice()
    return presentDevice(row, call)
  },

  /** It travels the same way as every alert. Its id tells the page which alert has arrived. */
  sendTestAlert: async (call) => {
    const { userId } = signedIn(call)
    const subscription = await call.db('push_subscriptions').where(ownEndpoint(call)).first()
    if (!subscription) throw new ProblemError('not_found', 'Alerts are off on this device. Please turn them on again.')
    await call.spend('test-alert', `user:${userId}`)
    const testId = randomUUID()
    await insertJob(call.db, {
      kind: testAlertKind,
      key: `test-alert:${testId}`,
      payload: { subscriptionId: subscription.id, testId },
      maxAttempts: 2,
    })
    return { testId }
  },
} satisfies Partial<Handlers>

const ownEndpoint = (call: HandlerCall<'unsubscribePush' | 'sendTestAlert'>) => ({
  userId: signedIn(call).userId,
  endpoint: storedEndpoint(call.body.endpoint),
})

function presentDevice(
  row: PushSubscriptionRow,
  { sessionHash, device }: Pick<HandlerCall<'listAlertedDevices'>, 'sessionHash' | 'device'>,
): AlertedDevice {
  return {
    id: row.id,
    deviceName: row.deviceName || null,
    since: row.createdAt.toISOString(),
    lastDeliveredAt: row.lastSuccessAt?.toISOString() ?? null,
    failing: row.failureCount > 0,
    current: row.deviceId === device?.id || (row.sessionIdHash !== null && row.sessionIdHash === sessionHash),
    quietHours: quietHoursOf(row),
    showNames: row.showNames,
  }
}

const unknownDevice = () => new ProblemError('not_found', 'There is no such device with alerts.')
