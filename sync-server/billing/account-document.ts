import type { Knex } from 'knex'
import type { User } from '#shared/accounts/account-calls.ts'
import type { AccountDocument } from '#shared/sync/replication-calls.ts'
import { subscriptionStatusOf, tierAndEnd } from './subscription-status.ts'
import { listSubscriptions, type HeldSubscription } from './subscription-store.ts'
import type { UserRow } from '../db/rows/account-rows.ts'
import type { Change } from '../feed/change-feed.ts'

/** A user as they see themselves. The tier is derived from their subscriptions, never stored beside them. */
export function presentUser(row: UserRow, held: readonly HeldSubscription[], now: Date): User {
  const { tier, endDate } = tierAndEnd(held, now)
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    emailVerified: row.emailVerifiedAt !== null,
    organizationName: row.organizationName,
    subscriptionTier: tier,
    subscriptionEndDate: endDate?.toISOString() ?? null,
    isAdmin: row.isAdmin,
    createdAt: row.createdAt.toISOString(),
  }
}

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
