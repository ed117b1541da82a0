import type { Knex } from 'knex'
import { jobsChannel } from '../jobs/job-store.ts'

/** A device has one alert that waits for the end of its quiet hours. */
export const quietAlertKind = 'quiet-alert'
export const testAlertKind = 'test-alert'

/**
 * Adds to a device's waiting message; false without one.
 * @param about what the message's payload must hold, its device included
 */
export async function joinWaiting(
  trx: Knex,
  kind: string,
  about: { readonly subscriptionId: number } & Readonly<Record<string, unknown>>,
  applicationIds: readonly number[],
): Promise<boolean> {
  const more = trx.raw(`jsonb_set(payload, '{applicationIds}', (payload->'applicationIds') || ?::jsonb)`, [
    JSON.stringify(applicationIds),
  ])
  const waiting = trx('jobs')
    .where({ kind, state: 'waiting' })
    .whereRaw('payload @> ?::jsonb', [JSON.stringify(about)])
  return (await waiting.update({ payload: more, updatedAt: trx.fn.now() })) > 0
}

/**
 * Waiting alerts look at changed quiet hours at once. Quiet hours end at whole minutes; a try put off by a push service
 * is due at a fraction of one, and stays put off.
 */
export async function wakeWaitingAlerts(trx: Knex, subscriptionId: number): Promise<void> {
  await trx.raw(
    `with woken as (
       update jobs set run_at = now(), updated_at = now()
       where state = 'waiting' and payload @> ?::jsonb and run_at = date_trunc('minute', run_at)
       returning kind
     )
     select pg_notify(?, kind) from woken`,
    [JSON.stringify({ subscriptionId }), jobsChannel],
  )
}
