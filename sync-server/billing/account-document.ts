import type { Knex } from 'knex'
import type { AccountDocument } from '#shared/sync/replication-calls.ts'
import { subscriptionStatusOf } from './subscription-status.ts'
import { listSubscriptions } from './subscription-store.ts'
import type { Change } from '../feed/change-feed.ts'
import { presentUser } from './user-presenter.ts'

/** A user's account document as it is stored in the change feed. */
type AccountBody = Omit<AccountDocument, 'key' | 'version'>

/** The document's id in its scope, which holds nothing else. */
const accountDocId = 'me'

/**
 * The change that publishes a user's account as this transaction leaves it. It locks the user's row: two transactions
 * that use different subscriptions of one user would otherwise each publish a document without the other's change.
 */
export async function accountChange(trx: Knex, userId: number, now: Date): Promise<Change> {
  const row = await trx('users').where({ id: userId }).forNoKeyUpdate().first()
  if (!row) throw new Error(`There is no user ${userId}`)
  const held = await listSubscriptions(trx, userId)
  const document: AccountBody = { user: presentUser(row, held, now), ...subscriptionStatusOf(held, now) }
  return { scope: `account:${userId}`, collection: 'account', docId: accountDocId, document }
}
