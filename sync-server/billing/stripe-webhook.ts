import type Koa from 'koa'
import type { Knex } from 'knex'
import type { Logger } from 'pino'
import { logFailure } from '../calls/failure-log.ts'
import { asProblem, ProblemError } from '../calls/problems.ts'
import { readBody } from '../calls/request-body.ts'
import type { PaymentDeps } from './begin-payment.ts'
import type { PaymentEvent, PaymentService } from './payment-service.ts'
import { settlePayment } from './settle-payment.ts'

/** Not in the table of calls: no app of ours makes it. */
export const webhookPath = '/api/stripe/webhook'

/** Stripe's largest events have some 20 kB. */
const bodyLimit = 256 * 1024

interface WebhookParts {
  readonly db: Knex
  readonly service: PaymentService | null
  readonly log: Logger
  readonly now: () => Date
}

/**
 * A signed event is believed for a final state; any other is a reason to ask, so that late events change nothing back.
 * 2xx only when the effect is stored; Stripe repeats the rest for three days.
 */
export function stripeWebhook({ db, service, log, now }: WebhookParts): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path !== webhookPath) return await next()
    const requestId = String(ctx.state['requestId'])
    ctx.state['route'] = 'stripeWebhook'
    ctx.set('Cache-Control', 'no-store')
    try {
      if (!service) throw new ProblemError('not_found', 'There is no such call.')
      if (ctx.method !== 'POST') throw new ProblemError('method_not_allowed', `${ctx.method} is not possible here.`)
      const at = now()
      const event = service.readEvent(await readBody(ctx.req, bodyLimit), ctx.get('stripe-signature'), at)
      const outcome = await take(event, { db, service, log, now: at, requestId })
      log.info({ event: event.id, type: event.type, outcome, requestId }, 'an event of Stripe')
      ctx.status = 200
      ctx.body = { received: true }
    } catch (error) {
      const problem = asProblem(error)
      if (problem.status >= 500) logFailure(log, error, { requestId, message: 'an event of Stripe was not taken' })
      else log.warn({ reason: problem.message, requestId }, 'an event of Stripe was refused')
      if (problem.code === 'too_large') ctx.set('Connection', 'close')
      if (problem.code === 'method_not_allowed') ctx.set('Allow', 'POST')
      const { retryAfterSeconds } = problem.details
      if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds))
      ctx.status = problem.status
      ctx.body = problem.toProblem(requestId)
    }
  }
}

async function take(event: PaymentEvent, { service, ...cause }: PaymentDeps): Promise<string> {
  if (event.intentId === null) return 'of no interest'
  if (await cause.db('stripe_events').where({ id: event.id }).first('id')) return 'seen'
  const intent = event.intent ?? (await service.findIntent(event.intentId))
  return await settlePayment(cause.db, intent, { ...cause, event })
}
