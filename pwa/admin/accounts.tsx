import { useMemo, useState } from 'react'
import { Link } from 'react-router-dom'
import type { AdminAccount } from '#shared/admin/admin-calls.ts'
import { hasPlans } from '../device/has-plans.ts'
import { paths } from '../paths.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card, CardLink } from '../ui/card.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { SearchField } from '../ui/text-field.tsx'
import { SelectField } from '../ui/choice-fields.tsx'
import { sortedByNames, wordFinder } from '#shared/text/matching.ts'
import { formatDay } from '../ui/page/local-time.ts'
import { useMedia } from '../ui/use-media.ts'
import { ShowMore } from './show-more.tsx'

const accountOrders = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  username: 'Username',
  events: 'Most events',
} as const
export type AccountOrder = keyof typeof accountOrders

const byAge = (one: AdminAccount, other: AdminAccount) =>
  one.createdAt.localeCompare(other.createdAt) || one.id - other.id

const orders: Record<AccountOrder, (accounts: readonly AdminAccount[]) => AdminAccount[]> = {
  newest: (accounts) => accounts.toSorted((one, other) => byAge(other, one)),
  oldest: (accounts) => accounts.toSorted(byAge),
  username: (accounts) => sortedByNames(accounts, ({ username }) => [username]),
  events: (accounts) => accounts.toSorted((one, other) => other.eventCount - one.eventCount || byAge(one, other)),
}

/** Sorts the accounts in which every word is found in name, email, organization, plan or state. */
export function arrangeAccounts(
  accounts: readonly AdminAccount[],
  search: string,
  order: AccountOrder,
): readonly AdminAccount[] {
  const isFound = wordFinder(search)
  const found = accounts.filter((account) => {
    const { username, email, organizationName } = account
    return isFound(username, email, organizationName, planName(account), activityOf(account))
  })
  return orders[order](found)
}

const planName = ({ subscription }: AdminAccount) => subscription?.planName ?? 'No Subscription'

const activityOf = ({ isActive }: AdminAccount) => (isActive ? 'Active' : 'Inactive')

const shownAtOnce = 100

const columns: Column<AdminAccount>[] = [
  {
    key: 'username',
    header: 'Username',
    rowHeader: true,
    cell: ({ id, username }) => (
      <Link
        to={paths.adminAccount(id)}
        className="inline-flex min-h-11 min-w-11 items-center font-semibold underline decoration-edge underline-offset-4"
      >
        {username}
      </Link>
    ),
  },
  { key: 'email', header: 'Email', cell: (account) => account.email },
  { key: 'organization', header: 'Organization', cell: (account) => account.organizationName ?? '—' },
  { key: 'plan', header: 'Plan', width: 'shrink', cell: planName },
  { key: 'events', header: 'Events', align: 'end', width: 'shrink', cell: (account) => account.eventCount },
  { key: 'created', header: 'Created', width: 'shrink', cell: (account) => formatDay(account.createdAt) },
  { key: 'status', header: 'Status', width: 'shrink', cell: (account) => <Activity account={account} /> },
]

const shownColumns = () => columns.filter(({ key }) => key !== 'plan' || hasPlans())

export function Accounts({ accounts }: { accounts: readonly AdminAccount[] }) {
  const [search, setSearch] = useState('')
  const [order, setOrder] = useState<AccountOrder>('newest')
  const [shown, setShown] = useState(shownAtOnce)
  const isWide = useMedia('(min-width: 64rem)')
  const found = useMemo(() => arrangeAccounts(accounts, search, order), [accounts, search, order])
  const rows = found.slice(0, shown)
  return (
    <>
      <div className="mb-4 grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_14rem]">
        <SearchField
          label="Search accounts"
          placeholder={hasPlans() ? 'Name, email, organization or plan' : 'Name, email or organization'}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        <SelectField
          label="Order"
          labelHidden
          value={order}
          onChange={({ target }) => setOrder(target.value as AccountOrder)}
        >
          {Object.entries(accountOrders).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
      <output className="mb-3 block text-sm text-muted">
        {found.length === accounts.length ? counted(accounts.length) : `${found.length} of ${counted(accounts.length)}`}
      </output>
      {found.length === 0 ? (
        <Card>
          <EmptyState
            illustration="lost"
            title="No accounts found"
            level={3}
            action={
              <Button variant="secondary" onClick={() => setSearch('')}>
                Clear Search
              </Button>
            }
          >
            No account matches your search.
          </EmptyState>
        </Card>
      ) : isWide ? (
        <DataTable
          caption={hasPlans() ? 'Accounts with their plans and events' : 'Accounts with their events'}
          columns={shownColumns()}
          rows={rows}
          rowKey={({ id }) => id}
        />
      ) : (
        <ul aria-label="User accounts" className="grid gap-3 sm:grid-cols-2">
          {rows.map((account) => (
            <AccountCard key={account.id} account={account} />
          ))}
        </ul>
      )}
      {found.length > shown && <ShowMore onMore={() => setShown(shown + shownAtOnce)} />}
    </>
  )
}

const counted = (count: number) => (count === 1 ? '1 account' : `${count} accounts`)

function Activity({ account }: { account: AdminAccount }) {
  return <Badge tone={account.isActive ? 'success' : 'quiet'}>{activityOf(account)}</Badge>
}

function AccountCard({ account }: { account: AdminAccount }) {
  const { email, organizationName, eventCount, createdAt } = account
  return (
    <Card as="li" padding="tight" data-row={account.id}>
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 className="text-lg leading-snug break-words">
            <CardLink to={paths.adminAccount(account.id)}>{account.username}</CardLink>
          </h3>
          <p className="text-sm break-words text-muted">{email}</p>
          {organizationName && <p className="text-sm break-words">{organizationName}</p>}
        </div>
        <Activity account={account} />
      </div>
      <p className="mt-3 text-sm">
        {hasPlans() && <span className="font-medium">{planName(account)} · </span>}
        <span className="text-muted">
          {eventCount === 1 ? '1 event' : `${eventCount} events`} · since {formatDay(createdAt)}
        </span>
      </p>
    </Card>
  )
}
