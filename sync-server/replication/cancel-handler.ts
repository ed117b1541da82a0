import type { Knex } from 'knex'
import { checkAccount } from '../http/access.ts'
import type { Handler } from '../http/handler.ts'
import { cancelKey, type KeyScope } from '../http/idempotency.ts'
import { deviceScope } from '../http/pipeline.ts'

/**
 * Forbids a queued change that may be on its way. Its key may live with the account or, for what a visitor may do too,
 * with the device: both are asked.
 */
export const cancelMutation: Handler<'cancelMutation'> = async ({ db, caller, device, body, spend, address }) => {
  if (body.account !== null) checkAccount(body.account, caller, 'sign_in_required')
  // It keeps a row for a key that may never come.
  if (!caller) await spend('visitor-change', address)
  const scopes: KeyScope[] = [...(body.account === null ? [] : [`user:${body.account}` as const]), deviceScope(device)]
  const outcomes: string[] = []
  // A mutating route's db is its transaction.
  for (const scope of scopes) outcomes.push(await cancelKey(db as Knex.Transaction, scope, body.key.toLowerCase()))
  return { outcome: outcomes.includes('already-happened') ? 'already-happened' : 'cancelled' }
}
