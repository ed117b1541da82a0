import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { startWorker, type Tasks, type Worker, type WorkerOptions } from '../../jobs/worker.ts'
import type { PushMessage } from '../../alerts/alert-message.ts'
import { createPushTasks } from '../../app/nouns.ts'
import { startPushService, type FakeSubscription, type PushService, type ReceivedPush } from './push-service.ts'
import { makeJobsDue } from '../jobs/queued-jobs.ts'
import { applicationBody, createRouteRig, eventBody, type Person, type RouteRig } from '../route-rig.ts'
import { createTestDatabase, type TestDatabase } from '../test-database.ts'

const log = pino({ level: 'silent' })

/** Olivia with an event, people who apply, phones with alerts, and everything that carries a message between them. */
export interface PushStage {
  readonly publicOrigin: string
  database: TestDatabase
  service: PushService
  rig: RouteRig
  olivia: Person
  eventId: number
  /** What the tasks take for the present instant; null for the real one. */
  taskNow: Date | null
  /** A number of this test's own, for names. */
  round: number
  /** A device with alerts, as its browser subscribed. */
  subscribe(deviceId: string, person?: Person): Promise<FakeSubscription>
  /** A stranger applies. */
  apply(eventId?: number): Promise<{ id: number; token: string }>
  tasks(): Tasks
  start(tasks: Tasks, options?: WorkerOptions): Worker
  /** Everything about phones that waits runs now, until nothing is left to do at once. */
  work(): Promise<void>
  /** What waits for a later moment becomes due, whatever the moment is. */
  hurry(kind: string): Promise<void>
  receivedBy(subscription: FakeSubscription): ReceivedPush[]
  messagesTo(subscription: FakeSubscription): PushMessage[]
}

/** Sets the stage before each test of a file; its parts are there once a test runs. */
export function setPushStage(): PushStage {
  let workers: Worker[] = []
  let applicants = 0
  const stage = {
    publicOrigin: 'https://beaconry.example',
    taskNow: null,
    round: 0,
    subscribe: async (deviceId, person = stage.olivia) => {
      const subscription = stage.service.subscribe()
      const answer = await stage.rig.run('subscribePush', {
        as: person,
        device: { id: deviceId, name: deviceId },
        body: { ...subscription, expirationTime: null },
      })
      expect(answer.status).toBe(204)
      return subscription
    },
    apply: async (eventId = stage.eventId) => {
      applicants += 1
      const answer = await stage.rig.run('applyAsBeacon', {
        params: { eventId },
        body: applicationBody({
          firstName: 'Canary',
          lastName: 'Nightingale',
          email: `canary-${applicants}@example.com`,
          phone: '555-0100',
        }),
      })
      expect(answer.status).toBe(201)
      return { id: answer.body.id, token: answer.body.token }
    },
    tasks: () =>
      createPushTasks({
        db: stage.database.db,
        config: {
          publicOrigin: stage.publicOrigin,
          pushHosts: [stage.service.host],
          vapidSubject: 'mailto:push@beaconry.example',
        },
        log,
        agent: stage.service.agent,
        now: () => stage.taskNow ?? new Date(),
      }),
    start: (tasks, options = {}) => {
      const worker = startWorker(stage.database.db, tasks, log, { pollMs: 20, ...options })
      workers.push(worker)
      return worker
    },
    work: async () => {
      const tasks = stage.tasks()
      if (workers.length === 0) stage.start(tasks)
      const { db } = stage.database
      await db('jobs')
        .where({ kind: 'new-application-push', attempts: 0 })
        .update({ runAt: new Date(0) })
      await vi.waitFor(
        async () => {
          const due = await db('jobs')
            .whereIn('kind', Object.keys(tasks))
            .whereRaw(`(state = 'running' or (state = 'waiting' and run_at <= now()))`)
          expect(due).toEqual([])
        },
        { timeout: 30_000, interval: 20 },
      )
    },
    hurry: async (kind) => {
      await makeJobsDue(stage.database.db, { kind })
      await stage.work()
    },
    receivedBy: (subscription) => stage.service.received.filter(({ endpoint }) => endpoint === subscription.endpoint),
    messagesTo: (subscription) =>
      stage.receivedBy(subscription).map(({ text }): PushMessage => JSON.parse(text) as PushMessage),
  } as PushStage

  beforeAll(async () => {
    stage.database = await createTestDatabase()
    stage.service = await startPushService()
  })
  afterAll(async () => {
    await stage.service.close()
    await stage.database.drop()
  })
  beforeEach(async () => {
    await stage.database.db('jobs').del()
    await stage.database.db('push_subscriptions').del()
    stage.rig = createRouteRig(stage.database.db, { pushHosts: [stage.service.host], publicOrigin: stage.publicOrigin })
    stage.round += 1
    stage.taskNow = null
    stage.olivia = await stage.rig.addPerson(`Olivia${stage.round}`)
    await stage.rig.addSubscription(stage.olivia, 3)
    stage.eventId = (await stage.rig.run('createEvent', { as: stage.olivia, body: eventBody() })).body.id
  })
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()))
    workers = []
  })
  return stage
}
