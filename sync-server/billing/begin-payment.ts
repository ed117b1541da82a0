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
import {
  findPaidSince,
  insertBegunPayment,
  listUnsettled,
  lockUser,
  forgetCustomer,
  getPayer,
  keepCustomer,
  findPayment,
} from './payment-store.ts'
import { settlePayment, type Outcome } from './settle-payment.ts'
import { getPlan } from './subscription-store.ts'

const hourMs = 3_600_000
/** How long a card may be charged after the checkout was opened: a promo code that others want is not held for long. */
const lastsMs = { withPromo: hourMs, withoutPromo: 24 * hourMs }
/** One that ends sooner than this is begun anew, for the user has to type a card number first. */
const enoughTimeMs = 10 * 60_000
/** A page that is reloaded or gone back to after its card was charged shall not offer to pay again. */
const justPaidMs = 2 * 60_000
const mostRounds = 6

/** The job that gives a payment up. */
const expireJob = 'expire-payment'

export interface PaymentDeps {
  readonly db: Knex
  readonly service: PaymentService
  readonly log: Logger
  readonly now: Date
  readonly requestId: string
}

export interface Choice {
  readonly planId: number
  readonly promoCode?: string | undefined
}

/** A payment that a page can go on with. */
export interface Begun {
  readonly clientSecret: string
  readonly amountCents: number
  readonly state: 'open' | 'processing' | 'paid'
}

/**
 * Begins a payment, or finds the one the user has begun for the same plan and code, so that a double click, a reload and
 * a second tab pay once, also just after it was paid. A user who chooses something else gives up what they had begun.
 * Answers undefined when nothing has to be paid. No transaction is open while the provider is asked; each step can be lost
 * and is found again by the next call. Throws for a plan or code that is not to be had, and `PaymentServiceError`.
 */
export async function beginPayment(deps: PaymentDeps, userId: number, choice: Choice): Promise<Begun | undefined> {
  for (let round = 0; round < mostRounds; round += 1) {
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

/**
 * Gives a payment up: the provider must agree first, or a user could pay for what was given to others. Answers where
 * the payment stands then; it may have been paid after all.
 */
async function endPayment(deps: PaymentDeps, row: PaymentRow): Promise<Outcome> {
  // Without a reference the provider may have made it all the same: its answer was lost. The key finds it.
  const id = row.providerReference ?? (await intentOf(deps, row)).id
  const intent = await orDead(row, () => deps.service.cancelIntent(id))
  return await settlePayment(deps.db, intent, deps)
}

/** What the provider does not know (any more) cannot be paid: test data that were cleared, another account's key. */
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

/** Finds or makes the row of a payment, with a use of its promo code reserved and the job that ends it. */
async function openPayment({ db, now }: PaymentDeps, userId: number, choice: Choice): Promise<Opened> {
  return await db.transaction(async (trx) => {
    await lockUser(trx, userId)
    const promoCode = choice.promoCode ?? null
    const paid = await findPaidSince(trx, userId, choice.planId, promoCode, new Date(now.getTime() - justPaidMs))
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
    const row = await insertBegunPayment(trx, {
      userId,
      planId: order.plan.id,
      amountCents: order.amountCents,
      promoCode: order.promoCode,
      createdAt: now,
      expiresAt,
    })
    await insertJob(trx, {
      kind: expireJob,
      key: `${expireJob}:${row.id}`,
      payload: { paymentId: row.id },
      runAt: expiresAt,
    })
    return { kind: 'row', row }
  })
}

/** The bank is at it: it can be neither paid again nor given up. */
function isProcessing({ providerStatus: status }: PaymentRow): boolean {
  return status === 'processing'
}

async function isStillGood(trx: Knex, row: PaymentRow, now: Date): Promise<boolean> {
  const endsIn = (row.expiresAt?.getTime() ?? 0) - now.getTime()
  return endsIn > enoughTimeMs && (await wouldCost(trx, row.planId, row.promoCode)) === row.amountCents
}

/** The provider's side of a payment; made by the first call, found by every later one. */
async function intentOf(deps: PaymentDeps, row: PaymentRow): Promise<Intent> {
  const { service, db } = deps
  const { providerReference: reference } = row
  if (reference !== null) return await orDead(row, () => service.findIntent(reference))
  const paymentKey = row.providerKey
  if (paymentKey === null) throw new Error(`Payment ${row.id} has no key`)
  const plan = await getPlan(db, row.planId)
  const customerId = await customerOf(deps, row, paymentKey)
  try {
    return await service.createIntent({
      idempotencyKey: `payment-${paymentKey}-${customerId}`,
      amountCents: row.amountCents,
      currency: row.currency,
      customerId,
      description: `Beaconry: ${plan.name}`,
      paymentKey,
      userId: row.userId,
    })
  } catch (error) {
    // The customer was removed at the provider: the next try makes a new one.
    if (error instanceof PaymentServiceError && error.reason === missingCustomer)
      await forgetCustomer(db, row.userId, customerId)
    throw error
  }
}

/** The user as the provider's customer, made once. */
async function customerOf({ db, service }: PaymentDeps, row: PaymentRow, paymentKey: string): Promise<string> {
  const user = await getPayer(db, row.userId)
  if (user.stripeCustomerId !== null) return user.stripeCustomerId
  const who = { userId: user.id, email: user.email, name: user.username }
  // Two calls at once make one customer; one that says something else needs another key.
  const digest = createHash('sha256').update(JSON.stringify(who)).digest('hex').slice(0, 16)
  const created = await service.createCustomer({ idempotencyKey: `customer-${paymentKey}-${digest}`, ...who })
  return await keepCustomer(db, user.id, created)
}

interface PaymentTaskDeps {
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

/** Gives up payments that were not made, so that the promo codes they hold are free again. */
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
