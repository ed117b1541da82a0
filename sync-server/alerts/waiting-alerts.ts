import type { Knex } from 'knex'
import { insertJob, jobsChannel } from '../jobs/job-store.ts'

export const quietAlertKind = 'quiet-alert'
export const testAlertKind = 'test-alert'

/** A waiting alert is told when the quiet hours end; a push service that is down is asked again for some hours. */
const mostAttempts = 6

const waitingOf = (trx: Knex, subscriptionId: number) =>
  trx('jobs')
    .where({ kind: quietAlertKind, state: 'waiting' })
    .whereRaw(`(payload->>'subscriptionId')::int = ?`, [subscriptionId])

/** Adds to what a device's waiting alert tells, if there is one that has not begun to leave. Answers whether. */
export async function joinWaitingAlert(
  trx: Knex,
  subscriptionId: number,
  applicationIds: readonly number[],
): Promise<boolean> {
  const more = trx.raw(`jsonb_set(payload, '{applicationIds}', (payload->'applicationIds') || ?::jsonb)`, [
    JSON.stringify(applicationIds),
  ])
  return (await waitingOf(trx, subscriptionId).update({ payload: more, updatedAt: trx.fn.now() })) > 0
}

/** Queues a device's one waiting alert, for the end of its quiet hours. */
export async function queueWaitingAlert(
  trx: Knex,
  alert: {
    readonly subscriptionId: number
    readonly applicationIds: readonly number[]
    /** The job that gathered them. */
    readonly gatheredBy: number
    readonly until: Date
  },
): Promise<void> {
  const { subscriptionId, applicationIds, gatheredBy, until } = alert
  await insertJob(trx, {
    kind: quietAlertKind,
    key: `${quietAlertKind}:${gatheredBy}:${subscriptionId}`,
    payload: { subscriptionId, applicationIds },
    runAt: until,
    maxAttempts: mostAttempts,
  })
}

/** The quiet hours were changed: the waiting alert looks at them at once, and leaves or waits for their new end. */
export async function wakeWaitingAlerts(trx: Knex, subscriptionId: number): Promise<void> {
  const woken = await waitingOf(trx, subscriptionId).update({ runAt: trx.fn.now(), updatedAt: trx.fn.now() })
  if (woken > 0) await trx.raw('select pg_notify(?, ?)', [jobsChannel, quietAlertKind])
}
