import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { Logger } from 'pino'
import type { Task, Tasks } from '../jobs/worker.ts'
import { endPayment, expireJob } from './begin-payment.ts'
import { PaymentServiceError, type PaymentService } from './payment-service.ts'
import { findPayment } from './payment-store.ts'

export interface PaymentTaskDeps {
  readonly db: Knex
  /** null: no card is ever charged here. */
  readonly service: PaymentService | null
  readonly log: Logger
  readonly now?: () => Date
}

/** When the provider could not be reached. */
const unreachableMs = 10 * 60_000
/** A bank that takes its time takes days. */
const processingMs = 6 * 3_600_000

/** Gives up payments that nobody made, so that the promo codes they hold are free again. */
export function createPaymentTasks({ db, service, log, now = () => new Date() }: PaymentTaskDeps): Tasks {
  if (!service) return {}
  const later = (ms: number) => ({ runAgainAt: new Date(now().getTime() + ms) })

  const expire: Task = async (job) => {
    const row = await findPayment(db, Number(job.payload['paymentId']))
    if (row?.status !== 'pending') return undefined
    if (row.expiresAt !== null && row.expiresAt > now()) return { runAgainAt: row.expiresAt }
    try {
      const outcome = await endPayment({ db, service, log, now: now(), requestId: randomUUID() }, row)
      // For a person to look at: the job ends as a dead one.
      if (outcome === 'refused' || outcome === 'unknown') throw new Error(`Payment ${row.id} is ${outcome}`)
      return outcome === 'open' ? later(processingMs) : undefined
    } catch (error) {
      // Not a failure of the job, and Stripe may be away for longer than a job is tried.
      if (error instanceof PaymentServiceError && error.isUnreachable) return later(unreachableMs)
      throw error
    }
  }
  return { [expireJob]: expire }
}
