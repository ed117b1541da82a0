import type { Knex } from 'knex'
import type { PaymentRow } from '../db/tables.ts'

/** Writes down what was paid for a plan. */
export async function insertPayment(
  trx: Knex,
  payment: Pick<PaymentRow, 'user_id' | 'plan_id' | 'subscription_id' | 'provider' | 'status' | 'amount_cents'> &
    Pick<PaymentRow, 'promo_code' | 'created_at'>,
): Promise<void> {
  await trx('payments').insert(payment)
}

/** A user's payments with the names of the plans, newest first. */
export async function listPayments(db: Knex, userId: number): Promise<(PaymentRow & { plan_name: string })[]> {
  return await db('payments')
    .join('subscription_plans', 'subscription_plans.id', 'payments.plan_id')
    .where('payments.user_id', userId)
    .orderBy([
      { column: 'payments.created_at', order: 'desc' },
      { column: 'payments.id', order: 'desc' },
    ])
    .select('payments.*', 'subscription_plans.name as plan_name')
}
