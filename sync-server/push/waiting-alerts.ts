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

/**
 * Lets a device's one waiting alert tell what has been gathered, if there is one. Answers whether: it is held where it is
 * until the transaction ends, so that it cannot leave without what is gathered in it.
 */
export async function joinWaitingAlert(trx: Knex, subscriptionId: number): Promise<boolean> {
  const [waiting] = await waitingOf(trx, subscriptionId).forUpdate().select('id')
  return waiting !== undefined
}

/** Queues a device's one waiting alert, for the end of its quiet hours; it tells what is gathered from now on. */
export async function queueWaitingAlert(
  trx: Knex,
  {
    subscriptionId,
    gatheredBy,
    since,
    until,
  }: { subscriptionId: number; gatheredBy: number; since: Date; until: Date },
): Promise<void> {
  await insertJob(trx, {
    kind: quietAlertKind,
    key: `${quietAlertKind}:${gatheredBy}:${subscriptionId}`,
    payload: { subscriptionId, since: since.toISOString() },
    runAt: until,
    maxAttempts: mostAttempts,
  })
}

/** The quiet hours were changed: the waiting alert looks at them at once, and leaves or waits for their new end. */
export async function wakeWaitingAlerts(trx: Knex, subscriptionId: number): Promise<void> {
  const woken = await waitingOf(trx, subscriptionId).update({ run_at: trx.fn.now(), updated_at: trx.fn.now() })
  if (woken > 0) await trx.raw('select pg_notify(?, ?)', [jobsChannel, quietAlertKind])
}
