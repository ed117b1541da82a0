import type { Knex } from 'knex'
import type { PaymentRow, PromoCodeRow, UserSubscriptionRow } from '../db/rows/billing-rows.ts'

/** The plans on sale, by the numbers of their rows. */
export const SINGLE = 1
export const MULTI = 2
export const UNLIMITED = 3

/** How long the one without a limit lasts. */
export const yearMs = 365 * 86_400_000

/** Gives somebody a plan that is good for as long as any test needs it; answers the subscription's id. */
export async function addSubscription(
  db: Knex,
  userId: number,
  planId: number,
  columns: Partial<UserSubscriptionRow> = {},
): Promise<number> {
  const [row] = await db('user_subscriptions')
    .insert({ userId, planId, startDate: new Date(0), endDate: new Date('2100-01-01'), ...columns })
    .returning('id')
  return row!.id
}

/** A promo code of 20 percent that anybody may use, unless `columns` say otherwise. */
export async function addPromoCode(db: Knex, code: string, columns: Partial<PromoCodeRow> = {}): Promise<void> {
  await db('promo_codes').insert({
    code,
    description: 'For friends',
    discountValue: 20,
    validFrom: new Date(0),
    ...columns,
  })
}

/** A payment for the plan without a limit, paid by card, unless `columns` say otherwise. */
export async function addPayment(db: Knex, userId: number, columns: Partial<PaymentRow> = {}): Promise<void> {
  await db('payments').insert({
    userId,
    planId: UNLIMITED,
    provider: 'stripe',
    status: 'paid',
    amountCents: 5000,
    ...columns,
  })
}
