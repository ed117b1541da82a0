import type { Knex } from 'knex'
import { lockAlertedDevices } from '../../alerts/push-subscription-store.ts'
import type { EventRow } from '../../db/rows/event-rows.ts'
import { findEvent } from '../../events/event-store.ts'
import { insertJob, jobsChannel } from '../../jobs/job-store.ts'
import type { Task } from '../../jobs/worker.ts'
import type { PushTaskDeps } from '../../alerts/send-push.ts'
import { beaconNews, beaconNewsMessage, type BeaconNews } from '../../alerts/alert-message.ts'
import { readsApplicationsSql, sendToDevice } from './new-application-alerts.ts'
import { listStillAbsent } from '../application-store.ts'
import { joinWaiting } from '../../alerts/waiting-alerts.ts'

export const beaconNewsKind = 'beacon-news'

/** News within this time shares one alert. */
const alertDelayMs = 5_000

/** News of one minute shares a job, which carries the applications' ids because deleted ones are found nowhere else. */
export async function queueBeaconNews(
  trx: Knex,
  given: { readonly news: BeaconNews; readonly eventId: number; readonly applicationId: number; readonly now: Date },
): Promise<void> {
  const { news, eventId, applicationId, now } = given
  const runAt = new Date(now.getTime() + alertDelayMs)
  const payload = JSON.stringify({ news, eventId, applicationIds: [applicationId] })
  const key = `${beaconNewsKind}:${news}:${eventId}:${Math.floor(now.getTime() / 60_000)}`
  // A job that has begun takes no more.
  const queue = async (jobKey: string) => {
    const { rows } = await trx.raw<{ rows: unknown[] }>(
      `insert into jobs (kind, key, payload, run_at) values (?, ?, ?::jsonb, ?)
       on conflict (key) do update set updated_at = now(),
         payload = jsonb_set(jobs.payload, '{applicationIds}', (jobs.payload->'applicationIds') || (excluded.payload->'applicationIds'))
         where jobs.state = 'waiting'
       returning id`,
      [beaconNewsKind, jobKey, payload, runAt],
    )
    return rows.length > 0
  }
  if (!(await queue(key))) await queue(`${key}:${applicationId}`)
  await trx.raw('select pg_notify(?, ?)', [jobsChannel, beaconNewsKind])
}

export const sendBeaconNewsKind = 'send-beacon-news'

/** The news is worth knowing the next morning, too. */
const newsSeconds = 24 * 3600
const attemptLimit = 6

export function gatherBeaconNews({ db, now = () => new Date() }: Pick<PushTaskDeps, 'db' | 'now'>): Task {
  return async (job) => {
    const { news, eventId, applicationIds } = readNews(job.payload)
    await db.transaction(async (trx) => {
      const event = await findEvent(trx, eventId)
      if (!event) return
      // The devices are locked, so that a later gatherer finds what waits.
      for (const { id: subscriptionId } of await lockAlertedDevices(trx, event.organizerId, now())) {
        if (await joinWaiting(trx, sendBeaconNewsKind, { subscriptionId, news, eventId }, applicationIds)) continue
        await insertJob(trx, {
          kind: sendBeaconNewsKind,
          key: `${sendBeaconNewsKind}:${job.id}:${subscriptionId}`,
          payload: { subscriptionId, news, eventId, applicationIds },
          maxAttempts: attemptLimit,
        })
      }
    })
    return undefined
  }
}

/** Sends nothing when the event is gone or everybody comes after all; in quiet hours it waits for their end. */
export const sendBeaconNews = (deps: PushTaskDeps): Task =>
  sendToDevice(
    deps,
    async ({ db, payload, userId, showNames, publicOrigin }) => {
      const { news, eventId, applicationIds: told } = readNews(payload)
      const event = await findEvent(db, eventId)
      if (!event || !(await readsApplications(db, event, userId))) return undefined
      const applicationIds = news === 'absent' ? await listStillAbsent(db, told) : [...new Set(told)]
      if (applicationIds.length === 0) return undefined
      const [only, ...more] = applicationIds
      const isNamed = showNames && only !== undefined && more.length === 0
      const person = isNamed
        ? await db('applications').where({ id: only, eventId }).first('firstName', 'lastName')
        : undefined
      return beaconNewsMessage({
        news,
        userId,
        organizerId: event.organizerId,
        event: { id: event.id, name: event.name },
        applicationIds,
        person,
        publicOrigin,
      })
    },
    { lastsSeconds: newsSeconds },
  )

async function readsApplications(db: Knex, { id }: EventRow, userId: number): Promise<boolean> {
  const readable = db('events').where({ id }).whereRaw(readsApplicationsSql, [userId, userId])
  return (await readable.first('id')) !== undefined
}

interface News {
  readonly news: BeaconNews
  readonly eventId: number
  readonly applicationIds: readonly number[]
}

function readNews(payload: Readonly<Record<string, unknown>>): News {
  const ids = payload['applicationIds']
  return {
    news: beaconNews.find((news) => news === payload['news']) ?? 'withdrawn',
    eventId: Number(payload['eventId']),
    applicationIds: Array.isArray(ids) ? ids.map(Number) : [],
  }
}
