import type { User } from '#shared/accounts/account-calls.ts'
import { tierAndEnd } from './subscription-status.ts'
import type { HeldSubscription } from './subscription-store.ts'
import type { UserRow } from '../db/tables.ts'

/** A user as they see themselves. The tier is derived from their subscriptions, never stored beside them. */
export function presentUser(row: UserRow, held: readonly HeldSubscription[], now: Date): User {
  const { tier, endDate } = tierAndEnd(held, now)
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    emailVerified: row.email_verified_at !== null,
    organizationName: row.organization_name,
    subscriptionTier: tier,
    subscriptionEndDate: endDate?.toISOString() ?? null,
    isAdmin: row.is_admin,
    createdAt: row.created_at.toISOString(),
  }
}
