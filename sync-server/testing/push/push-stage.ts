import { pino } from 'pino'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import { startWorker, type Worker } from '../../jobs/worker.ts'
import type { QuietHours } from '#shared/alerts/quiet-hours.ts'
import type { PushMessage } from '../../alerts/alert-message.ts'
import { createPushTasks } from '../../app/nouns.ts'
import { startPushService, type FakeSubscription, type ReceivedPush } from './push-service.ts'
import { jobsSettled } from '../jobs/job-stage.ts'
import { makeJobsDue } from '../jobs/queued-jobs.ts'
import { setOrganizerStage, type OrganizerStage } from '../organizer-stage.ts'
import type { Person } from '../route-rig.ts'

const log = pino({ level: 'silent' })

export type PushStage = Awaited<ReturnType<typeof setPushStage>>

/**
 * An organizer's stage on which Olivia has an event, people who apply, phones with alerts, and what carries a message between
 * them.
 */
export async function setPushStage() {
  let worker: Worker | undefined
  let applicants = 0
  const publicOrigin = 'https://beaconry.example'
  const service = await startPushService()
  afterAll(() => service.close())
  const own = {
    publicOrigin,
    service,
    eventId: 0,
    /** What the tasks take for the present instant; null for the real one. */
    taskNow: null as Date | null,
    /** A device with alerts, as its browser subscribed. */
    subscribe: async (deviceId: string, person?: Person): Promise<FakeSubscription> => {
      const subscription = service.subscribe()
      const answer = await stage.run('subscribePush', {
        as: person ?? stage.olivia,
        device: { id: deviceId, name: deviceId },
        body: { ...subscription, expirationTime: null },
      })
      expect(answer.status).toBe(204)
      return subscription
    },
    /** Olivia sets when a device of hers is quiet. */
    leaveAlone: async (deviceName: string, quietHours: QuietHours | null) => {
      const devices = (await stage.run('listAlertedDevices', { as: stage.olivia })).body
      const { id } = devices.find((device) => device.deviceName === deviceName)!
      return await stage.run('setQuietHours', { as: stage.olivia, params: { id }, body: { quietHours } })
    },
    /** Olivia says whether alerts name people on a device of hers. */
    showNames: async (deviceName: string, showNames: boolean) => {
      const devices = (await stage.run('listAlertedDevices', { as: stage.olivia })).body
      const { id } = devices.find((device) => device.deviceName === deviceName)!
      return await stage.run('setShowNames', { as: stage.olivia, params: { id }, body: { showNames } })
    },
    /** A stranger applies. */
    volunteer: async (eventId?: number): Promise<{ id: number; token: string }> => {
      applicants += 1
      const email = `canary-${applicants}@example.com`
      const canary = { firstName: 'Canary', lastName: 'Nightingale', email, phone: '555-0100' }
      const answer = await stage.apply(eventId ?? stage.eventId, canary)
      expect(answer.status).toBe(201)
      return { id: answer.body.id, token: answer.body.token }
    },
    /** Everything about phones that waits runs now, until nothing is left to do at once. */
    work: async (): Promise<void> => {
      const tasks = createPushTasks({
        db: stage.db,
        config: { publicOrigin, pushHosts: [service.host], vapidSubject: 'mailto:push@beaconry.example' },
        log,
        agent: service.agent,
        now: () => stage.taskNow ?? new Date(),
      })
      worker ??= startWorker(stage.db, tasks, log, { pollMs: 20 })
      await stage
        .db('jobs')
        .where({ kind: 'new-application-push', attempts: 0 })
        .update({ runAt: new Date(0) })
      await jobsSettled(stage.db, Object.keys(tasks))
    },
    /** What waits for a later moment becomes due, whatever the moment is. */
    hurry: async (kind: string): Promise<void> => {
      await makeJobsDue(stage.db, { kind })
      await stage.work()
    },
    receivedBy: (subscription: FakeSubscription): ReceivedPush[] =>
      service.received.filter(({ endpoint }) => endpoint === subscription.endpoint),
    messagesTo: (subscription: FakeSubscription): PushMessage[] =>
      stage.receivedBy(subscription).map(({ text }): PushMessage => JSON.parse(text) as PushMessage),
  }
  const organizers = await setOrganizerStage({ pushHosts: [service.host], publicOrigin })
  const stage: OrganizerStage & typeof own = Object.assign(organizers, own)

  beforeEach(async () => {
    await stage.db('jobs').del()
    await stage.db('push_subscriptions').del()
    stage.taskNow = null
    stage.eventId = (await stage.publish()).id
  })
  afterEach(async () => {
    await worker?.stop()
    worker = undefined
  })
  return stage
}
