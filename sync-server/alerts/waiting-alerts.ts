import type { Knex } from 'knex'
import { jobsChannel } from '../jobs/job-store.ts'

/** A device's one alert that waits for the end of its quiet hours. */
export const quietAlertKind = 'quiet-alert'
export const testAlertKind = 'test-alert'

/**
 * Adds applications to what a device's waiting message tells, if there is one that has not begun to leave. Answers whether.
 * @param about what the message's payload has to say, its device among it
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
 * The quiet hours were changed: whatever waits for their end looks at them at once, and leaves or waits for their new end.
 * Their end is a whole minute; a try that a push service has put off is due at any fraction of one, and stays put off.
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
