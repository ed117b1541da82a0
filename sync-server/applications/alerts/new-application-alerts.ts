import type { Knex } from 'knex'
import { quietUntil } from '#shared/alerts/quiet-hours.ts'
import {
  alertedDevices,
  hasAlertedDevices,
  lockAlertedDevices,
  quietHoursOf,
} from '../../alerts/push-subscription-store.ts'
import type { Task } from '../../jobs/worker.ts'
import { deliver, type PushTaskDeps } from '../../alerts/send-push.ts'
import { alertMessage, testMessage, type AlertedApplication, type PushMessage } from '../../alerts/alert-message.ts'
import { joinWaiting, quietAlertKind } from '../../alerts/waiting-alerts.ts'
import { findEvent } from '../../events/event-store.ts'
import { insertJob } from '../../jobs/job-store.ts'

export const alertKind = 'send-push'
export const gatheringKind = 'new-application-push'

/** Applications within this time share one alert. */
const alertDelayMs = 5000
const quietMs = 60_000

const attemptLimit = 6

/**
 * Runs in the transaction of a new application, which shares a job of its event that waits or queues its own. Workers pass
 * over a row that is locked, so the job begins after the transaction has ended, and finds the application. A job that
 * is due is shared no more, because a crowd could hold it up for ever.
 */
export async function queueAlert(
  trx: Knex,
  { id, eventId }: { readonly id: number; readonly eventId: number },
  now: Date,
): Promise<void> {
  const shared = await trx('jobs')
    .where({ kind: gatheringKind, state: 'waiting' })
    .whereRaw(`run_at > statement_timestamp() and ${isAboutEvent}`, [eventId])
    .orderBy('runAt')
    .forShare()
    .skipLocked()
    .first('id')
  if (shared) return
  const runAt = new Date(now.getTime() + alertDelayMs)
  await insertJob(trx, { kind: gatheringKind, key: `push:event:${eventId}:${id}`, payload: { eventId }, runAt })
}

/** Is written as in the index. */
const isAboutEvent = `(payload->>'eventId')::bigint = ?`

/**
 * Makes one message per device, each in a job of its own, so that a retry alerts no other device twice. In quiet hours
 * everything waits in one job. Gatherers of one event take turns, and hold nothing that an application waits for.
 */
export function gatherAlerts({ db, now = () => new Date() }: Pick<PushTaskDeps, 'db' | 'now'>): Task {
  return async (job) => {
    const eventId = Number(job.payload['eventId'])
    return await db.transaction(async (trx) => {
      const event = await findEvent(trx, eventId)
      if (!event || !(await hasAlertedDevices(trx, event.organizerId, now()))) return undefined
      await trx.raw(`select pg_advisory_xact_lock(hashtextextended('alerting event ' || ?::bigint, 0))`, [eventId])
      const previous = await lastAlertAt(trx, eventId, job.id)
      if (previous && now().getTime() - previous.getTime() < quietMs)
        return { runAgainAt: new Date(previous.getTime() + quietMs) }
      const applicationIds = await findUnalerted(trx, eventId, job.id)
      if (applicationIds.length === 0) return undefined
      await noteAlerted(trx, job.id, applicationIds, now())
      // The devices are locked, so that a later gatherer finds the waiting alert.
      for (const device of await lockAlertedDevices(trx, event.organizerId, now())) {
        if (await joinWaiting(trx, quietAlertKind, { subscriptionId: device.id }, applicationIds)) continue
        const hours = quietHoursOf(device)
        const until = hours && quietUntil(hours, now())
        const kind = until ? quietAlertKind : alertKind
        await insertJob(trx, {
          kind,
          key: `${kind}:${job.id}:${device.id}`,
          payload: { subscriptionId: device.id, applicationIds, ...(until ? {} : { eventId }) },
          ...(until && { runAt: until }),
          maxAttempts: attemptLimit,
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
  /** The owner of the device wants names on its lock screen. */
  readonly showNames: boolean
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
    const device = await alertedDevices(db, now())
      .where({ id: Number(payload['subscriptionId']) })
      .first()
    if (!device) return undefined
    const { userId, showNames } = device
    const badge = await countPendingFor(db, userId)
    const message = await write({ db, payload, userId, showNames, publicOrigin: config.publicOrigin })
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
    async ({ db, payload, userId, showNames, publicOrigin }) => {
      const applications = await listStillPending(db, userId, payload['applicationIds'])
      if (applications.length === 0) return undefined
      return alertMessage({ userId, applications, showNames, publicOrigin })
    },
    { lastsSeconds: alertSeconds },
  )

/** A person at the device asked for this alert. */
export const sendTestAlert = (deps: PushTaskDeps): Task =>
  sendToDevice(
    deps,
    async ({ payload, userId, publicOrigin }) =>
      testMessage({ userId, testId: String(payload['testId']), publicOrigin }),
    { lastsSeconds: testSeconds, evenInQuietHours: true },
  )

/** An application that shares the first one's job may be stored by another clock. */
const slackMs = 120_000

async function lastAlertAt(db: Knex, eventId: number, exceptJobId: number): Promise<Date | undefined> {
  const { rows } = await db.raw<{ rows: { at: Date | null }[] }>(
    `select max((payload->>'alertedAt')::timestamptz) as at from jobs
     where kind = '${gatheringKind}' and ${isAboutEvent} and id <> ?`,
    [eventId, exceptJobId],
  )
  return rows[0]?.at ?? undefined
}

/** Finds pending applications from the job's time on that no job has announced. */
async function findUnalerted(db: Knex, eventId: number, jobId: number): Promise<number[]> {
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `with told as materialized (
       select jsonb_array_elements(payload->'applicationIds')::bigint as id from jobs
       where kind = '${gatheringKind}' and ${isAboutEvent}
     )
     select a.id from applications a, jobs j
     where j.id = ? and a.event_id = ? and a.status = 'pending' and a.created_at >= j.created_at - ? * interval '1 millisecond'
       and not exists (select from told where told.id = a.id)
     order by a.created_at, a.id`,
    [eventId, jobId, eventId, slackMs],
  )
  return rows.map(({ id }) => id)
}

/** The note is in the job itself, so that its second run announces nothing twice. */
async function noteAlerted(trx: Knex, jobId: number, applicationIds: readonly number[], now: Date): Promise<void> {
  await trx.raw(`update jobs set payload = payload || ?::jsonb where id = ?`, [
    JSON.stringify({ applicationIds, alertedAt: now.toISOString() }),
    jobId,
  ])
}

/**
 * This SQL tells whether somebody, given by two bindings, reads the applications of an event: as its organizer, or on
 * the organizer's team.
 */
export const readsApplicationsSql = `(events.organizer_id = ? or exists (
  select from team_members t where t.organizer_id = events.organizer_id and t.user_id = ? and t.role <> 'door'
))`

async function listStillPending(db: Knex, userId: number, applicationIds: unknown): Promise<AlertedApplication[]> {
  const ids = Array.isArray(applicationIds) ? applicationIds.map(Number) : []
  return (await db('applications')
    .join('events', 'events.id', 'applications.eventId')
    .whereIn('applications.id', ids)
    .where('applications.status', 'pending')
    .whereRaw(readsApplicationsSql, [userId, userId])
    .orderBy(['applications.createdAt', 'applications.id'])
    .select(
      'applications.id',
      'applications.eventId',
      'applications.firstName',
      'applications.lastName',
      'events.name as eventName',
      'events.organizerId',
    )) as AlertedApplication[]
}

async function countPendingFor(db: Knex, userId: number): Promise<number> {
  const { rows } = await db.raw<{ rows: { pending: number }[] }>(
    `select count(*)::int as pending from applications a join events on events.id = a.event_id
     where a.status = 'pending' and ${readsApplicationsSql}`,
    [userId, userId],
  )
  return rows[0]?.pending ?? 0
}
