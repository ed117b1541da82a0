import type { Knex } from 'knex'
import { lockPushSubscriptions } from '../../alerts/push-subscription-store.ts'
import { findEvent, findEventForChange } from '../../events/event-store.ts'
import { insertJob, jobsChannel } from '../../jobs/job-store.ts'
import type { Task } from '../../jobs/worker.ts'
import type { PushTaskDeps } from '../../alerts/send-push.ts'
import { beaconNews, beaconNewsMessage, type BeaconNews } from '../../alerts/alert-message.ts'
import { sendToDevice } from './new-application-alerts.ts'
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

/** Worth knowing the next morning too. */
const newsSeconds = 24 * 3600
const mostAttempts = 6

export function gatherBeaconNews({ db }: Pick<PushTaskDeps, 'db'>): Task {
  return async (job) => {
    const { news, eventId, applicationIds } = readNews(job.payload)
    await db.transaction(async (trx) => {
      const event = await findEventForChange(trx, eventId)
      if (!event) return
      // Locked, so that a later gatherer finds what waits.
      for (const { id: subscriptionId } of await lockPushSubscriptions(trx, event.organizerId)) {
        if (await joinWaiting(trx, sendBeaconNewsKind, { subscriptionId, news, eventId }, applicationIds)) continue
        await insertJob(trx, {
          kind: sendBeaconNewsKind,
          key: `${sendBeaconNewsKind}:${job.id}:${subscriptionId}`,
          payload: { subscriptionId, news, eventId, applicationIds },
          maxAttempts: mostAttempts,
        })
      }
    })
    return undefined
  }
}

/** Nothing when the event is gone; in quiet hours it waits for their end. */
export const sendBeaconNews = (deps: PushTaskDeps): Task =>
  sendToDevice(
    deps,
    async ({ db, payload, userId, publicOrigin }) => {
      const { news, eventId, applicationIds } = readNews(payload)
      const event = await findEvent(db, eventId)
      if (event?.organizerId !== userId) return undefined
      return beaconNewsMessage({
        news,
        organizerId: userId,
        event: { id: event.id, name: event.name },
        applicationIds: [...new Set(applicationIds)],
        publicOrigin,
      })
    },
    { lastsSeconds: newsSeconds },
  )

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
