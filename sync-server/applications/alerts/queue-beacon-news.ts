import type { Knex } from 'knex'
import { jobsChannel } from '../../jobs/job-store.ts'
import type { BeaconNews } from '../../alerts/push-message.ts'

export const beaconNewsKind = 'beacon-news'

/** News that comes within this time shares one alert. */
const alertDelayMs = 5_000

/**
 * Has the devices of an event's organizer told that an approved Beacon has withdrawn, or changed what guests read, in the
 * caller's transaction. News of one minute shares a job; the job carries the applications' numbers, for a deleted one is
 * found nowhere else.
 */
export async function queueBeaconNews(
  trx: Knex,
  given: { readonly news: BeaconNews; readonly eventId: number; readonly applicationId: number; readonly now: Date },
): Promise<void> {
  const { news, eventId, applicationId, now } = given
  const runAt = new Date(now.getTime() + alertDelayMs)
  const payload = JSON.stringify({ news, eventId, applicationIds: [applicationId] })
  const key = `${beaconNewsKind}:${news}:${eventId}:${Math.floor(now.getTime() / 60_000)}`
  // A job that has begun takes no more: then this one goes alone.
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
