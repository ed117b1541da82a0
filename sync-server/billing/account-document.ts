import type { Knex } from 'knex'
import type { User } from '#shared/accounts/account-calls.ts'
import type { AccountDocument } from '#shared/sync/replication-calls.ts'
import { listMemberships } from '../team/team-store.ts'
import { subscriptionStatusOf, tierAndEnd } from './subscription-status.ts'
import { listSubscriptions, type HeldSubscription } from './subscription-store.ts'
import type { UserRow } from '../db/rows/account-rows.ts'
import type { Change } from '../feed/change-feed.ts'

/** The tier is derived, never stored. */
export function presentUser(row: UserRow, held: readonly HeldSubscription[], now: Date): User {
  const { tier, endDate } = tierAndEnd(held, now)
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    emailVerified: row.emailVerifiedAt !== null,
    organizationName: row.organizationName,
    contactEmail: row.contactEmail,
    subscriptionTier: tier,
    subscriptionEndDate: endDate?.toISOString() ?? null,
    isAdmin: row.isAdmin,
    createdAt: row.createdAt.toISOString(),
    deletesAt: row.deletesAt?.toISOString() ?? null,
  }
}

type AccountBody = Omit<AccountDocument, 'key' | 'version'>

const accountDocId = 'me'

/**
 * Locks the user's row: two transactions about different subscriptions would otherwise each publish a document without
 * the other's change.
 */
export async function accountChange(trx: Knex, userId: number, now: Date): Promise<Change> {
  const row = await trx('users').where({ id: userId }).forNoKeyUpdate().first()
  if (!row) throw new Error(`There is no user ${userId}`)
  const held = await listSubscriptions(trx, userId)
  const document: AccountBody = {
    user: presentUser(row, held, now),
    ...subscriptionStatusOf(held, now),
    teams: await listMemberships(trx, userId),
  }
  return { scope: `account:${userId}`, collection: 'account', docId: accountDocId, document }
}
