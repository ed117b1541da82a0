import type { Knex } from 'knex'
import type { PaymentRow } from '../db/rows/billing-rows.ts'

export async function findPaymentOfIntent(
  db: Knex,
  intentId: string,
  paymentKey: string | null,
): Promise<PaymentRow | undefined> {
  const byReference = await db('payments').where({ provider: 'stripe', providerReference: intentId }).first()
  if (byReference || paymentKey === null || !uuid.test(paymentKey)) return byReference
  return await db('payments').where({ provider: 'stripe', providerKey: paymentKey }).first()
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Serializes changes of what a user has begun to pay or has. */
export async function lockUser(trx: Knex, userId: number): Promise<void> {
  await trx('users').where({ id: userId }).forNoKeyUpdate().first('id')
}

export async function findPaidSince(
  db: Knex,
  userId: number,
  planId: number,
  promoCode: string | null,
  since: Date,
): Promise<PaymentRow | undefined> {
  return await db('payments')
    .where({ userId, planId, provider: 'stripe', status: 'paid', revokedAt: null })
    .whereRaw('promo_code is not distinct from ?', [promoCode])
    .where('paidAt', '>', since)
    .orderBy('id', 'desc')
    .first()
}

/** Our own word: only a person can settle a payment that contradicts its row. */
export const refusedStatus = 'refused'

const notRefused = `provider_status is distinct from '${refusedStatus}'`

export async function listUnsettled(db: Knex, userId: number): Promise<PaymentRow[]> {
  return await db('payments')
    .where({ userId, provider: 'stripe', status: 'pending' })
    .whereRaw(notRefused)
    .orderBy('id', 'desc')
}

/** Sooner the provider would hardly have more to say. */
const askAgainAfterMs = 1_000
const maxAtOnce = 3

/** Newest payments that the provider may be asked about now; the claiming caller asks. */
export async function claimUnsettled(db: Knex, userId: number, now: Date): Promise<PaymentRow[]> {
  const isDue = (query: Knex.QueryBuilder) =>
    void query.whereNull('askedAt').orWhere('askedAt', '<', new Date(now.getTime() - askAgainAfterMs))
  const newest = db('payments')
    .where({ userId, provider: 'stripe', status: 'pending' })
    .whereNotNull('providerReference')
    .whereRaw(notRefused)
    .where(isDue)
    .orderBy('id', 'desc')
    .limit(maxAtOnce)
    .select('id')
  // The same condition again: the second of two calls sees that the first has taken the row.
  return await db('payments').where('id', 'in', newest).where(isDue).update({ askedAt: now }).returning('*')
}

/** Lists the newest first, without those for which no card was ever tried. */
export async function listPayments(db: Knex, userId: number): Promise<(PaymentRow & { planName: string })[]> {
  return await db('payments')
    .join('subscription_plans', 'subscription_plans.id', 'payments.planId')
    .where('payments.userId', userId)
    .whereRaw(`(payments.provider <> 'stripe' or payments.status = 'paid' or payments.attempted)`)
    .orderBy([
      { column: 'payments.createdAt', order: 'desc' },
      { column: 'payments.id', order: 'desc' },
    ])
    .select('payments.*', 'subscription_plans.name as planName')
}

/** Keeps it unless another was kept first, and answers the kept one. */
export async function keepCustomer(db: Knex, userId: number, customerId: string): Promise<string> {
  const [row] = await db('users')
    .where({ id: userId })
    .update({ stripeCustomerId: db.raw('coalesce(stripe_customer_id, ?)', [customerId]) })
    .returning('stripeCustomerId')
  if (!row?.stripeCustomerId) throw new Error(`There is no user ${userId}`)
  return row.stripeCustomerId
}

/** False when the event had its effect before; the second of two deliveries waits for the first. */
export async function noteEvent(trx: Knex, event: { id: string; type: string }, now: Date): Promise<boolean> {
  const rows = await trx('stripe_events')
    .insert({ id: event.id, type: event.type, outcome: 'begun', receivedAt: now })
    .onConflict('id')
    .ignore()
    .returning('id')
  return rows.length === 1
}

export async function noteOutcome(
  trx: Knex,
  eventId: string,
  outcome: string,
  paymentId: number | null,
): Promise<void> {
  await trx('stripe_events').where({ id: eventId }).update({ outcome, paymentId })
}
