import type { Knex } from 'knex'
import type { Logger } from 'pino'
import { accountChange } from './account-document.ts'
import type { PaymentRow } from '../db/rows/billing-rows.ts'
import { recordChanges } from '../feed/change-feed.ts'
import { grantPlan, takePlanBack } from './activate-plan.ts'
import type { Intent, PaymentEvent } from './payment-service.ts'
import { findPaymentOfIntent, lockUser, refusedStatus, noteEvent, noteOutcome } from './payment-store.ts'
import { countLateUse, releasePromo } from './promo-store.ts'
import { getPlan } from './subscription-store.ts'

/**
 * `seen`: the event had its effect before; `unknown`: not our payment; `refused`: it contradicts its row; else the
 * payment's state.
 */
export type Outcome = 'seen' | 'unknown' | 'refused' | 'open' | 'paid' | 'failed' | 'taken back'

export interface Cause {
  readonly requestId: string
  readonly now: Date
  readonly log: Logger
  readonly event?: Pick<PaymentEvent, 'id' | 'type'>
}

/**
 * Brings all of ours in line with the provider in one transaction. Repeated or older news change nothing. The row
 * decides amount, currency and owner; contradictions are refused and logged.
 */
export async function settlePayment(db: Knex, intent: Intent, cause: Cause): Promise<Outcome> {
  return await db.transaction(async (trx) => {
    const { event, now, log, requestId } = cause
    if (event && !(await noteEvent(trx, event, now))) return 'seen'
    const found = await findPaymentOfIntent(trx, intent.id, intent.paymentKey)
    if (!found) {
      log.warn({ intent: intent.id }, 'a payment at the provider is not one of ours')
      if (event) await noteOutcome(trx, event.id, 'unknown', null)
      return 'unknown'
    }
    await lockUser(trx, found.userId)
    const row = await trx('payments').where({ id: found.id }).forUpdate().first()
    if (!row) throw new Error(`There is no payment ${found.id}`)
    const contradiction = contradictionOf(row, intent)
    if (contradiction !== null) {
      log.error({ payment: row.id, intent: intent.id, contradiction }, 'a payment was refused')
      if (row.status === 'pending' && row.providerReference === intent.id)
        await update(trx, row, { providerStatus: refusedStatus })
      if (event) await noteOutcome(trx, event.id, `refused: ${contradiction}`, row.id)
      return 'refused'
    }
    const { outcome, hasNews } = await advance(trx, row, intent, cause)
    if (hasNews) {
      await trx('audit_log').insert({
        userId: row.userId,
        route: 'settlePayment',
        subject: String(row.id),
        status: 200,
        requestId,
      })
    }
    if (event) await noteOutcome(trx, event.id, outcome, row.id)
    // Last: it holds the change feed's lock until the commit.
    if (hasNews) await recordChanges(trx, [await accountChange(trx, row.userId, now)])
    return outcome
  })
}

function contradictionOf(row: PaymentRow, intent: Intent): string | null {
  if (intent.paymentKey !== row.providerKey) return 'payment'
  if (row.providerReference !== null && row.providerReference !== intent.id) return 'intent'
  if (intent.userId !== String(row.userId)) return 'owner'
  if (intent.amountCents !== row.amountCents) return 'amount'
  if (intent.currency !== row.currency) return 'currency'
  if (intent.status === 'succeeded' && intent.receivedCents < row.amountCents) return 'amount received'
  return null
}

/** Only forward: paid stays paid, failed can only turn out to be paid. */
async function advance(
  trx: Knex,
  row: PaymentRow,
  intent: Intent,
  cause: Cause,
): Promise<{ outcome: Outcome; hasNews: boolean }> {
  if (intent.status === 'succeeded') {
    const paid = row.status === 'paid' ? row : await receive(trx, row, intent, cause)
    const isTakenBack = await noteAfterwards(trx, paid, intent, cause)
    return { outcome: isTakenBack ? 'taken back' : 'paid', hasNews: paid !== row || isTakenBack }
  }
  if (row.status !== 'pending') return { outcome: row.status === 'paid' ? 'paid' : 'failed', hasNews: false }
  const progress = {
    providerReference: intent.id,
    providerStatus: intent.status,
    attempted: row.attempted || intent.wasRefused || ['processing', 'requires_action'].includes(intent.status),
  }
  if (intent.status === 'canceled') {
    await update(trx, row, { ...progress, status: 'failed', promoReserved: false })
    if (row.promoReserved && row.promoCode !== null) await releasePromo(trx, row.promoCode)
    return { outcome: 'failed', hasNews: true }
  }
  const isKnown = (Object.keys(progress) as (keyof typeof progress)[]).every((name) => progress[name] === row[name])
  if (!isKnown) await update(trx, row, progress)
  return { outcome: 'open', hasNews: false }
}

/** The plan is given, whatever its price or promo code are now. */
async function receive(trx: Knex, row: PaymentRow, intent: Intent, { now, log }: Cause): Promise<PaymentRow> {
  const plan = await getPlan(trx, row.planId)
  if (!row.promoReserved && row.promoCode !== null && !(await countLateUse(trx, row.promoCode)))
    log.warn(
      { payment: row.id },
      'a payment came after its promo code was given to another account; it counts all the same',
    )
  const subscriptionId = await grantPlan(trx, row.userId, plan, row.promoCode, now)
  return await update(trx, row, {
    providerReference: intent.id,
    providerStatus: intent.status,
    attempted: true,
    status: 'paid',
    subscriptionId,
    promoReserved: false,
    paidAt: now,
  })
}

/** Returns whether the plan was taken back just now. */
async function noteAfterwards(trx: Knex, row: PaymentRow, intent: Intent, { now, log }: Cause): Promise<boolean> {
  const { afterwards } = intent
  if (!afterwards) return false
  const { refundedCents, disputedCents, lostCents } = afterwards
  const isLost = refundedCents + lostCents >= row.amountCents
  const takesBack = isLost && row.revokedAt === null
  if (row.revokedAt !== null && !isLost)
    log.error({ payment: row.id }, 'money came back for a payment whose plan was taken back: look at it')
  if (takesBack) await takePlanBack(trx, row, now)
  if (takesBack || row.refundedCents !== refundedCents || row.disputedCents !== disputedCents) {
    await update(trx, row, { refundedCents, disputedCents, ...(takesBack ? { revokedAt: now } : {}) })
  }
  return takesBack
}

async function update(trx: Knex, { id }: PaymentRow, changes: Partial<PaymentRow>): Promise<PaymentRow> {
  const [row] = await trx('payments').where({ id }).update(changes).returning('*')
  if (!row) throw new Error(`There is no payment ${id}`)
  return row
}
