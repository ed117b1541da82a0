import type { User } from '#shared/accounts/account-calls.ts'
import { tierAndEnd } from './subscription-status.ts'
import type { HeldSubscription } from './subscription-store.ts'
import type { UserRow } from '../db/rows/account-rows.ts'

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
