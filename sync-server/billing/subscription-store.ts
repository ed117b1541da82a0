import type { Knex } from 'knex'
import type { SubscriptionPlanRow, UserSubscriptionRow } from '../db/rows/billing-rows.ts'

export interface HeldSubscription extends UserSubscriptionRow {
  readonly plan: SubscriptionPlanRow
}

/** Lists the oldest first, and includes ended ones. */
export async function listSubscriptions(db: Knex, userId: number): Promise<HeldSubscription[]> {
  const subscriptions = await db('user_subscriptions').where({ userId }).orderBy(['createdAt', 'id'])
  if (subscriptions.length === 0) return []
  const plans = new Map((await listPlans(db)).map((plan) => [plan.id, plan]))
  return subscriptions.flatMap((subscription) => {
    const plan = plans.get(subscription.planId)
    return plan ? [{ ...subscription, plan }] : []
  })
}

export async function listPlans(db: Knex): Promise<SubscriptionPlanRow[]> {
  return await db('subscription_plans').orderBy('id')
}

export async function findPlan(db: Knex, planId: number): Promise<SubscriptionPlanRow | undefined> {
  return await db('subscription_plans').where({ id: planId }).first()
}

export async function getPlan(db: Knex, planId: number): Promise<SubscriptionPlanRow> {
  const plan = await findPlan(db, planId)
  if (!plan) throw new Error(`There is no plan ${planId}`)
  return plan
}

/**
 * Adds the plan's duration to its running subscription and answers its id; undefined when none runs. Each of two at
 * once waits for the row and extends it.
 */
export async function extendRunning(
  trx: Knex,
  userId: number,
  plan: SubscriptionPlanRow,
  now: Date,
): Promise<number | undefined> {
  const newest = trx('user_subscriptions')
    .where({ userId, planId: plan.id, status: 'active' })
    .where('startDate', '<=', now)
    .where('endDate', '>', now)
    .orderBy('endDate', 'desc')
    .limit(1)
    .select('id')
  const [row] = await trx('user_subscriptions')
    .where('id', 'in', newest)
    .update({ endDate: trx.raw('end_date + make_interval(days => ?::int)', [plan.durationDays]) })
    .returning('id')
  return row?.id
}

/** Returns false when another call took the last one. The row stays locked until the transaction ends. */
export async function takeEvent(trx: Knex, subscription: HeldSubscription, now: Date): Promise<boolean> {
  const taken = await trx('user_subscriptions')
    .where({ id: subscription.id, status: 'active' })
    .whereRaw('(end_date is null or end_date > ?)', [now])
    .whereRaw('(?::int < 0 or events_used < ?::int)', [subscription.plan.eventLimit, subscription.plan.eventLimit])
    .increment('eventsUsed', 1)
  return taken === 1
}

export async function giveEventBack(trx: Knex, subscriptionId: number): Promise<void> {
  await trx('user_subscriptions').where({ id: subscriptionId }).where('eventsUsed', '>', 0).decrement('eventsUsed', 1)
}
