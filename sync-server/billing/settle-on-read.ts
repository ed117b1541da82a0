import type { Knex } from 'knex'
import type { Logger } from 'pino'
import { PaymentServiceError, type PaymentService } from './payment-service.ts'
import { claimUnsettled } from './payment-store.ts'
import { settlePayment } from './settle-payment.ts'

/** How long nobody is kept waiting for a provider that could not be reached. */
const restMs = 15_000

interface Reading {
  readonly db: Knex
  readonly now: Date
  readonly log: Logger
  readonly requestId: string
}

/**
 * Settles what a user has begun to pay by asking the provider, so that a plan is there when its owner looks, also where
 * no event arrives. Takes about two seconds at most, asks about a payment at most once a second, and never throws: what
 * cannot be settled now is settled by the next reading, or by an event.
 */
export function createSettleOnRead(
  service: PaymentService | null,
): (reading: Reading, userId: number) => Promise<void> {
  let restUntil = 0
  return async ({ db, now, log, requestId }, userId) => {
    if (!service || now.getTime() < restUntil) return
    try {
      const due = await claimUnsettled(db, userId, now)
      const ask = async (reference: string) =>
        await settlePayment(db, await service.findIntent(reference, { isUrgent: true }), { now, log, requestId })
      await Promise.all(due.flatMap(({ providerReference: reference }) => (reference === null ? [] : ask(reference))))
    } catch (error) {
      if (error instanceof PaymentServiceError && error.isUnreachable) restUntil = now.getTime() + restMs
      log.warn({ err: error }, 'a payment could not be settled while its owner looked')
    }
  }
}
