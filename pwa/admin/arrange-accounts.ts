import type { AdminAccount } from '#shared/admin/admin-calls.ts'

export const accountOrders = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  username: 'Username',
  events: 'Most events',
} as const
export type AccountOrder = keyof typeof accountOrders

const byAge = (one: AdminAccount, other: AdminAccount) =>
  one.createdAt.localeCompare(other.createdAt) || one.id - other.id

const compare: Record<AccountOrder, (one: AdminAccount, other: AdminAccount) => number> = {
  newest: (one, other) => byAge(other, one),
  oldest: byAge,
  username: (one, other) => one.username.localeCompare(other.username, 'en-US', { sensitivity: 'base' }),
  events: (one, other) => other.eventCount - one.eventCount || byAge(one, other),
}

/** The accounts in which every word of the search is found in name, e-mail, organization, plan or state, in order. */
export function arrangeAccounts(
  accounts: readonly AdminAccount[],
  search: string,
  order: AccountOrder,
): readonly AdminAccount[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return accounts
    .filter((account) => {
      const text = [
        account.username,
        account.email,
        account.organizationName ?? '',
        planName(account),
        activityOf(account),
      ]
        .join('\n')
        .toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .sort(compare[order])
}

/** The plan as the table shows it. */
export const planName = ({ subscription }: AdminAccount) => subscription?.planName ?? 'No Subscription'

/** Whether the account has an event to come, in the table's words. */
export const activityOf = ({ isActive }: AdminAccount) => (isActive ? 'Active' : 'Inactive')
