import type { Knex } from 'knex'

/** Whether an event of the provider has had its effect. */
export async function hasEvent(db: Knex, eventId: string): Promise<boolean> {
  return (await db('stripe_events').where({ id: eventId }).first('id')) !== undefined
}

/**
 * Notes that an event has its effect in this transaction. Answers false when it had it before; of two deliveries at once
 * the second waits here for the first.
 */
export async function noteEvent(trx: Knex, event: { id: string; type: string }, now: Date): Promise<boolean> {
  const rows = await trx('stripe_events')
    .insert({ id: event.id, type: event.type, outcome: 'begun', receivedAt: now })
    .onConflict('id')
    .ignore()
    .returning('id')
  return rows.length === 1
}

/** What came of an event, and for which payment. */
export async function noteOutcome(
  trx: Knex,
  eventId: string,
  outcome: string,
  paymentId: number | null,
): Promise<void> {
  await trx('stripe_events').where({ id: eventId }).update({ outcome, paymentId })
}
