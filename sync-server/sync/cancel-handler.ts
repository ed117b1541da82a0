import type { Knex } from 'knex'
import { checkAccount, signInProblem } from '../calls/access.ts'
import type { Handler } from '../calls/handler.ts'
import { cancelKeys, type KeyScope } from '../calls/idempotency.ts'
import { deviceScope } from '../calls/call.ts'

/**
 * Forbids a queued change that may be on its way. Its key may live with the account or, for what a visitor may do too,
 * with the device: both are asked.
 */
export const cancelMutation: Handler<'cancelMutation'> = async ({ db, caller, device, body, spend, address }) => {
  if (body.account !== null) checkAccount(body.account, caller, 'sign_in_required')
  // It keeps a row for a key that may never come.
  if (!caller) await spend('visitor-change', address)
  const scopes: KeyScope[] = [...(body.account === null ? [] : [`user:${body.account}` as const]), deviceScope(device)]
  // A mutating route's db is its transaction.
  const [outcome] = await cancelKeys(db as Knex.Transaction, scopes, [body.key.toLowerCase()])
  return { outcome: outcome ?? 'cancelled' }
}

/** The same for many changes of one account: those that a device gave up without a network, or that somebody signs out of. */
export const cancelMutations: Handler<'cancelMutations'> = async ({ db, caller, device, body }) => {
  if (!caller) throw signInProblem('sign_in_required')
  if (body.account !== undefined) checkAccount(body.account, caller, 'sign_in_required')
  const keys = body.keys.map((key) => key.toLowerCase())
  return { outcomes: await cancelKeys(db as Knex.Transaction, [`user:${caller.userId}`, deviceScope(device)], keys) }
}
