import type { Knex } from 'knex'
import { chargedCents, isUnlimited } from '#shared/billing/plan.ts'
import { promoReasons, promoRefusal } from '#shared/billing/promo.ts'
import type { PaymentRow, SubscriptionPlanRow } from '../db/rows/billing-rows.ts'
import { ProblemError, refusedField } from '../calls/problems.ts'
import { findPromo, hasUsedPromo, redeemPromo } from './promo-store.ts'
import { extendRunning, findPlan, getPlan } from './subscription-store.ts'

const dayMs = 86_400_000

export interface Order {
  readonly plan: SubscriptionPlanRow
  /** The code is normalised; null means that there is none. */
  readonly promoCode: string | null
  readonly amountCents: number
}

export interface Wish {
  readonly userId: number
  readonly planId: number
  readonly promoCode?: string | undefined
}

/** Uses no code up. Throws for a plan or code that is not to be had. */
export async function priceOrder(db: Knex, { userId, planId, promoCode: code }: Wish, now: Date): Promise<Order> {
  const plan = await requirePlan(db, planId)
  const promo = code === undefined ? undefined : await findPromo(db, code)
  const refusal = code === undefined ? null : promoRefusal(promo, now)
  if (refusal !== null) throw unusablePromo(refusal)
  if (code !== undefined && (await hasUsedPromo(db, userId, code))) throw unusablePromo(promoReasons.usedByAccount)
  return orderOf(plan, promo)
}

/**
 * One statement prices the order and uses its promo code, so that a code for ten is never used an eleventh time. The
 * caller has locked the user. Throws for a plan or code that is not to be had.
 */
export async function takeOrder(trx: Knex, { userId, planId, promoCode: code }: Wish, now: Date): Promise<Order> {
  const plan = await requirePlan(trx, planId)
  if (code === undefined) return orderOf(plan, undefined)
  if (await hasUsedPromo(trx, userId, code)) throw unusablePromo(promoReasons.usedByAccount)
  const promo = await redeemPromo(trx, code, now)
  if (!promo) throw unusablePromo(promoRefusal(await findPromo(trx, code), now) ?? promoReasons.usedUp)
  return orderOf(plan, promo)
}

/** Prices an order in cents, with a reserved code, which may be used up. */
export async function wouldCost(db: Knex, planId: number, code: string | null): Promise<number> {
  const promo = code === null ? undefined : await findPromo(db, code.toUpperCase())
  return orderOf(await getPlan(db, planId), promo).amountCents
}

export async function activatePlan(
  trx: Knex,
  userId: number,
  { plan, promoCode, amountCents }: Order,
  provider: 'demo' | 'free',
  now: Date,
): Promise<void> {
  const subscriptionId = await grantPlan(trx, userId, plan, promoCode, now)
  await trx('payments').insert({
    userId,
    planId: plan.id,
    subscriptionId,
    provider,
    status: 'paid',
    amountCents,
    promoCode,
    createdAt: now,
  })
}

/** Returns the subscription's id. A running plan without a limit is extended; others are held side by side. */
export async function grantPlan(
  trx: Knex,
  userId: number,
  plan: SubscriptionPlanRow,
  promoCode: string | null,
  now: Date,
): Promise<number> {
  const lastsMs = plan.durationDays > 0 ? plan.durationDays * dayMs : null
  const extended = isUnlimited(plan) && lastsMs !== null ? await extendRunning(trx, userId, plan, now) : undefined
  if (extended !== undefined) return extended
  const endDate = lastsMs === null ? null : new Date(now.getTime() + lastsMs)
  const [row] = await trx('user_subscriptions')
    .insert({ userId, planId: plan.id, startDate: now, endDate, promoCode, createdAt: now })
    .returning('id')
  if (!row) throw new Error('A subscription was not inserted')
  return row.id
}

/**
 * Its money went back: the subscription ends now, or loses this payment's part where others have extended it. Its
 * events stay.
 */
export async function takePlanBack(trx: Knex, payment: PaymentRow, now: Date): Promise<void> {
  const { subscriptionId } = payment
  if (subscriptionId === null) return
  const plan = await getPlan(trx, payment.planId)
  const others = await trx('payments')
    .where({ subscriptionId, status: 'paid', revokedAt: null })
    .whereNot('id', payment.id)
    .select('id')
  const isShortened = others.length > 0 && plan.durationDays > 0
  await trx('user_subscriptions')
    .where({ id: subscriptionId })
    .update(
      isShortened
        ? { endDate: trx.raw('end_date - make_interval(days => ?::int)', [plan.durationDays]) }
        : { status: 'cancelled', endDate: trx.raw('least(end_date, ?::timestamptz)', [now]) },
    )
}

function orderOf(plan: SubscriptionPlanRow, promo: { code: string; discountValue: number } | undefined): Order {
  return {
    plan,
    promoCode: promo?.code ?? null,
    amountCents: chargedCents(plan.priceCents, promo?.discountValue ?? 0),
  }
}

async function requirePlan(db: Knex, planId: number): Promise<SubscriptionPlanRow> {
  const plan = await findPlan(db, planId)
  if (!plan) throw new ProblemError('not_found', 'Invalid Plan')
  return plan
}

const unusablePromo = (reason: string) => refusedField('not_allowed_now', 'promoCode', reason)
