import { createHash, randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { Logger } from 'pino'
import type { PaymentRow } from '../db/rows/billing-rows.ts'
import { ProblemError } from '../calls/problems.ts'
import { insertJob } from '../jobs/job-store.ts'
import type { Task, Tasks } from '../jobs/worker.ts'
import { priceOrder, takeOrder, wouldCost } from './activate-plan.ts'
import {
  missingCustomer,
  missingIntent,
  PaymentServiceError,
  type Intent,
  type PaymentService,
} from './payment-service.ts'
import { findPaidSince, keepCustomer, listUnsettled, lockUser } from './payment-store.ts'
import { deleteCustomer, deleteCustomerKind } from './delete-customer.ts'
import { settlePayment, type Outcome } from './settle-payment.ts'

const hourMs = 3_600_000
/** How long a card may be charged: a promo code is held only for an hour. */
const lastsMs = { withPromo: hourMs, withoutPromo: 24 * hourMs }
/** A payment that ends sooner is begun again, because typing a card number takes time. */
const enoughTimeMs = 10 * 60_000
/** A page reloaded after its card was charged must not offer to pay again. */
const justPaidMs = 2 * 60_000
const maxRounds = 6

const expireJob = 'expire-payment'

export interface PaymentDeps {
  readonly db: Knex
  readonly service: PaymentService
  readonly log: Logger
  readonly now: Date
  readonly requestId: string
  /** Of a repeat: what was paid since then is its payment, and no other is begun. */
  readonly paidSince?: Date | undefined
}

export interface Choice {
  readonly planId: number
  readonly promoCode?: string | undefined
}

export interface Begun {
  readonly clientSecret: string
  readonly amountCents: number
  readonly state: 'open' | 'processing' | 'paid'
}

/**
 * Begins a payment or finds the user's one for the same plan and code; another choice gives up what was begun. Answers
 * undefined when nothing has to be paid. No transaction is open while the provider is asked.
 */
export async function beginPayment(deps: PaymentDeps, userId: number, choice: Choice): Promise<Begun | undefined> {
  for (let round = 0; round < maxRounds; round += 1) {
    const opened = await openPayment(deps, userId, choice)
    if (opened.kind === 'free') return undefined
    if (opened.kind === 'others first') {
      for (const other of opened.others) await endPayment(deps, other)
      continue
    }
    const { row } = opened
    const intent = await intentOf(deps, row)
    const outcome = await settlePayment(deps.db, intent, deps)
    if (outcome === 'failed' || outcome === 'taken back') continue
    if (outcome === 'refused' || intent.clientSecret === null)
      throw new PaymentServiceError(false, `payment ${row.id} ${outcome}`)
    return { clientSecret: intent.clientSecret, amountCents: row.amountCents, state: stateOf(outcome, intent) }
  }
  throw new ProblemError('unavailable', 'Could not initialize payment. Please try again.', { retryAfterSeconds: 1 })
}

/** The provider must agree first, or the user could pay for a code that is free again. */
async function endPayment(deps: PaymentDeps, row: PaymentRow): Promise<Outcome> {
  // The provider may have made it and its answer was lost: the key finds it.
  const id = row.providerReference ?? (await intentOf(deps, row)).id
  const intent = await orDead(row, () => deps.service.cancelIntent(id))
  return await settlePayment(deps.db, intent, deps)
}

/** What the provider does not know cannot be paid: cleared test data, another account's key. */
async function orDead(row: PaymentRow, ask: () => Promise<Intent>): Promise<Intent> {
  try {
    return await ask()
  } catch (error) {
    const { providerReference: id } = row
    if (!(error instanceof PaymentServiceError) || error.reason !== missingIntent || id === null) throw error
    return {
      id,
      status: 'canceled',
      amountCents: row.amountCents,
      receivedCents: 0,
      currency: row.currency,
      paymentKey: row.providerKey,
      userId: String(row.userId),
      clientSecret: null,
      wasRefused: false,
    }
  }
}

function stateOf(outcome: Outcome, { status }: Intent): Begun['state'] {
  if (outcome === 'paid') return 'paid'
  return status === 'processing' ? 'processing' : 'open'
}

type Opened =
  | { readonly kind: 'free' }
  | { readonly kind: 'others first'; readonly others: readonly PaymentRow[] }
  | { readonly kind: 'row'; readonly row: PaymentRow }

async function openPayment({ db, now, paidSince }: PaymentDeps, userId: number, choice: Choice): Promise<Opened> {
  return await db.transaction(async (trx) => {
    await lockUser(trx, userId)
    const promoCode = choice.promoCode ?? null
    const since = paidSince ?? new Date(now.getTime() - justPaidMs)
    const paid = await findPaidSince(trx, userId, choice.planId, promoCode, since)
    if (paid) return { kind: 'row', row: paid }
    const unsettled = await listUnsettled(trx, userId)
    const same = unsettled.find((row) => row.planId === choice.planId && row.promoCode === promoCode)
    if (same && (isProcessing(same) || (await isStillGood(trx, same, now)))) {
      await trx('payments').where({ id: same.id }).update({ askedAt: null })
      return { kind: 'row', row: same }
    }
    const others = unsettled.filter((row) => !isProcessing(row))
    if (others.length > 0) return { kind: 'others first', others }
    const { amountCents } = await priceOrder(trx, { userId, ...choice }, now)
    if (amountCents === 0) return { kind: 'free' }
    const order = await takeOrder(trx, { userId, ...choice }, now)
    const expiresAt = new Date(now.getTime() + (order.promoCode === null ? lastsMs.withoutPromo : lastsMs.withPromo))
    const [row] = await trx('payments')
      .insert({
        userId,
        planId: order.plan.id,
        provider: 'stripe',
        status: 'pending',
        providerKey: trx.raw('gen_random_uuid()'),
        amountCents: order.amountCents,
        promoCode: order.promoCode,
        promoReserved: order.promoCode !== null,
        createdAt: now,
        expiresAt,
      })
      .returning('*')
    if (!row) throw new Error('A payment was not inserted')
    await insertJob(trx, {
      kind: expireJob,
      key: `${expireJob}:${row.id}`,
      payload: { paymentId: row.id },
      runAt: expiresAt,
    })
    return { kind: 'row', row }
  })
}

/** The payment can be neither repeated nor given up. */
function isProcessing({ providerStatus: status }: PaymentRow): boolean {
  return status === 'processing'
}

async function isStillGood(trx: Knex, row: PaymentRow, now: Date): Promise<boolean> {
  const endsIn = (row.expiresAt?.getTime() ?? 0) - now.getTime()
  return endsIn > enoughTimeMs && (await wouldCost(trx, row.planId, row.promoCode)) === row.amountCents
}

async function intentOf(deps: PaymentDeps, row: PaymentRow): Promise<Intent> {
  const { service, db } = deps
  const { providerReference: reference } = row
  if (reference !== null) return await orDead(row, () => service.findIntent(reference))
  const paymentKey = row.providerKey
  if (paymentKey === null) throw new Error(`Payment ${row.id} has no key`)
  const customerId = await customerOf(deps, row, paymentKey)
  try {
    return await service.createIntent({
      idempotencyKey: `payment-${paymentKey}-${customerId}`,
      amountCents: row.amountCents,
      currency: row.currency,
      customerId,
      // An admin may rename the plan, and a repeat under the same key must be the same.
      description: `Beaconry: plan ${row.planId}`,
      paymentKey,
      userId: row.userId,
    })
  } catch (error) {
    // The customer was removed at the provider.
    if (error instanceof PaymentServiceError && error.reason === missingCustomer)
      await db('users').where({ id: row.userId, stripeCustomerId: customerId }).update({ stripeCustomerId: null })
    throw error
  }
}

async function customerOf({ db, service }: PaymentDeps, row: PaymentRow, paymentKey: string): Promise<string> {
  const user = await db('users').where({ id: row.userId }).first('id', 'email', 'username', 'stripeCustomerId')
  if (!user) throw new Error(`There is no user ${row.userId}`)
  if (user.stripeCustomerId !== null) return user.stripeCustomerId
  const who = { userId: user.id, email: user.email, name: user.username }
  // Two calls at once make one customer; changed data need another key.
  const digest = createHash('sha256').update(JSON.stringify(who)).digest('hex').slice(0, 16)
  const created = await service.createCustomer({ idempotencyKey: `customer-${paymentKey}-${digest}`, ...who })
  return await keepCustomer(db, user.id, created)
}

interface PaymentTaskDeps {
  readonly db: Knex
  readonly service: PaymentService | null
  readonly log: Logger
  readonly now?: () => Date
}

/** The provider is asked again after this long when it was not reachable. */
const unreachableMs = 10 * 60_000
const processingMs = 6 * 3_600_000

/** Frees the promo codes of payments that were not made. */
export function createPaymentTasks({ db, service, log, now = () => new Date() }: PaymentTaskDeps): Tasks {
  if (!service) return {}
  const later = (ms: number) => ({ runAgainAt: new Date(now().getTime() + ms) })

  const expire: Task = async (job) => {
    const row = await db('payments')
      .where({ id: Number(job.payload['paymentId']) })
      .first()
    if (row?.status !== 'pending') return undefined
    if (row.expiresAt !== null && row.expiresAt > now()) return { runAgainAt: row.expiresAt }
    try {
      const outcome = await endPayment({ db, service, log, now: now(), requestId: randomUUID() }, row)
      // The throw leaves a dead job for a person to look at.
      if (outcome === 'refused' || outcome === 'unknown') throw new Error(`Payment ${row.id} is ${outcome}`)
      return outcome === 'open' ? later(processingMs) : undefined
    } catch (error) {
      // Stripe may be away for longer than a job is tried.
      if (error instanceof PaymentServiceError && error.isUnreachable) return later(unreachableMs)
      throw error
    }
  }
  return { [expireJob]: expire, [deleteCustomerKind]: deleteCustomer(service) }
}
