import { useState, type ReactNode } from 'react'
import { Link, useParams } from 'react-router-dom'
import type { AccountPage } from '#shared/admin/admin-account-calls.ts'
import { formatCents, usageText } from '#shared/billing/plan.ts'
import { formatDateRange } from '#shared/time/date-range.ts'
import { useSession } from '../device/session/session.ts'
import { idFrom, paths } from '../paths.ts'
import { call } from '../sync/index.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { useAction } from '../ui/forms/use-action.ts'
import { Page, Section } from '../ui/page.tsx'
import { hasPlans } from '../device/has-plans.ts'
import { formatDay, formatMoment } from '../ui/page/local-time.ts'
import { LoginRequired } from '../ui/page/login-required.tsx'
import { usePageTitle } from '../ui/page/page-title.ts'
import { useNow } from '../ui/page/use-now.ts'
import { toast } from '../ui/toast.ts'
import { AccessDenied } from './access-denied.tsx'
import { useAdminAccount } from './admin-answers.ts'
import { QueryResult } from './query-result.tsx'

export function AdminAccountScreen() {
  const id = idFrom(useParams()['id'])
  const { user } = useSession()
  usePageTitle(user?.isAdmin ? 'Account' : 'Access Denied')
  if (!user) return null
  if (!user.isAdmin) return <AccessDenied />
  return id === null ? <NoAccount /> : <Account key={id} id={id} />
}

function NoAccount() {
  return (
    <Page width="narrow">
      <EmptyState
        illustration="lost"
        title="Account Not Found"
        level={1}
        action={<ButtonLink to={paths.admin}>Admin Dashboard</ButtonLink>}
      >
        It does not exist, or was deleted.
      </EmptyState>
    </Page>
  )
}

function Account({ id }: { id: number }) {
  const asked = useAdminAccount(id)
  const { answer, failure } = asked
  if (failure?.kind === 'denied') return <AccessDenied />
  if (failure?.kind === 'missing') return <NoAccount />
  return (
    <Page title={answer?.username ?? 'Account'} back={{ to: paths.admin, label: 'Admin Dashboard' }}>
      <LoginRequired>Please log in to access the admin dashboard.</LoginRequired>
      <QueryResult
        asked={asked}
        what="The account"
        why="Other people’s names and addresses are not kept on this device. It will show here automatically when our server answers."
        level={2}
      >
        {(account) => (
          <>
            <Parts account={account} />
            <Actions account={account} onDone={() => void asked.ask()} />
          </>
        )}
      </QueryResult>
    </Page>
  )
}

/** Narrow screens have no column for this. */
const Narrow = ({ children }: { children: string }) => (
  <span className="block text-sm text-muted sm:hidden">{children}</span>
)

type Of<K extends 'subscriptions' | 'payments' | 'events'> = AccountPage[K][number]

const subscriptionColumns: Column<Of<'subscriptions'>>[] = [
  {
    key: 'plan',
    header: 'Plan',
    rowHeader: true,
    cell: ({ planName, eventsUsed, eventLimit }) => (
      <>
        <strong>{planName}</strong>
        <Narrow>{usageText(eventsUsed, { eventLimit })}</Narrow>
      </>
    ),
  },
  {
    key: 'state',
    header: 'State',
    cell: ({ isRunning }) => (
      <Badge tone={isRunning ? 'success' : 'quiet'}>{isRunning ? 'Active' : 'Not active'}</Badge>
    ),
  },
  {
    key: 'used',
    header: 'Used',
    wideOnly: true,
    cell: ({ eventsUsed, eventLimit }) => usageText(eventsUsed, { eventLimit }),
  },
  { key: 'start', header: 'Began', width: 'shrink', wideOnly: true, cell: ({ startDate }) => formatDay(startDate) },
  {
    key: 'end',
    header: 'Ends',
    width: 'shrink',
    cell: ({ endDate }) => (endDate === null ? 'No expiration' : formatDay(endDate)),
  },
]

const providers = { demo: 'Demo', free: 'Free', stripe: 'Card' } as const
const payments = { paid: 'Paid', pending: 'Pending', failed: 'Failed' } as const

const paymentColumns: Column<Of<'payments'>>[] = [
  { key: 'date', header: 'Date', rowHeader: true, width: 'shrink', cell: ({ createdAt }) => formatDay(createdAt) },
  {
    key: 'plan',
    header: 'Plan',
    cell: ({ planName, provider, promoCode }) => (
      <>
        {planName}
        <Narrow>{[providers[provider], promoCode].filter(Boolean).join(' · ')}</Narrow>
      </>
    ),
  },
  { key: 'by', header: 'Paid by', wideOnly: true, cell: ({ provider }) => providers[provider] },
  { key: 'promo', header: 'Promo code', wideOnly: true, cell: ({ promoCode }) => promoCode ?? '—' },
  { key: 'state', header: 'Status', cell: ({ status }) => payments[status] },
  {
    key: 'amount',
    header: 'Amount',
    align: 'end',
    width: 'shrink',
    cell: ({ amountCents, takenBackCents }) => (
      <>
        {formatCents(amountCents)}
        {takenBackCents > 0 && (
          <span className="block text-sm text-muted">{formatCents(takenBackCents)} taken back</span>
        )}
      </>
    ),
  },
]

const countColumn = (key: 'pending' | 'approved' | 'rejected', header: string): Column<Of<'events'>> => ({
  key,
  header,
  align: 'end',
  width: 'shrink',
  wideOnly: true,
  cell: (event) => event[key],
})

const eventColumns: Column<Of<'events'>>[] = [
  {
    key: 'name',
    header: 'Event',
    rowHeader: true,
    cell: ({ id, name, isTakenDown, startDate, endDate, pending, approved, rejected }) => (
      <>
        {isTakenDown ? (
          <>
            {name} <Badge tone="error">Taken down</Badge>
          </>
        ) : (
          <Link
            to={paths.event(id)}
            className="inline-flex min-h-11 items-center font-medium underline underline-offset-4"
          >
            {name}
          </Link>
        )}
        <Narrow>{formatDateRange(startDate, endDate)}</Narrow>
        <Narrow>{`${pending} pending · ${approved} approved · ${rejected} rejected`}</Narrow>
      </>
    ),
  },
  {
    key: 'date',
    header: 'Date',
    wideOnly: true,
    cell: ({ startDate, endDate }) => formatDateRange(startDate, endDate),
  },
  countColumn('pending', 'Pending'),
  countColumn('approved', 'Approved'),
  countColumn('rejected', 'Rejected'),
]

function Parts({ account }: { account: AccountPage }) {
  const { email, organizationName, isAdmin, emailConfirmed, closedAt, createdAt, lastSeenAt, failedMails } = account
  const { subscriptions, payments: paid, events, eventCount } = account
  const now = useNow()
  const notAll = (count: number) => count > events.length && ` (the latest ${events.length} of ${count})`
  return (
    <>
      <Card>
        <DefinitionList
          lines
          items={[
            { term: 'Email', detail: emailConfirmed ? email : `${email} (not confirmed)` },
            { term: 'Role', detail: isAdmin ? 'Admin' : 'Organizer' },
            { term: 'Organization', detail: organizationName ?? '—' },
            { term: 'Created', detail: formatDay(createdAt) },
            { term: 'Last seen', detail: lastSeenAt === null ? 'No session known' : formatMoment(lastSeenAt, now) },
            ...(closedAt === null ? [] : [{ term: 'Closed', detail: formatDay(closedAt) }]),
            { term: 'Emails failed', detail: failedMails },
          ]}
        />
      </Card>
      {hasPlans() && (
        <>
          <Part id="plans" title="Plans" none="No plan yet." rows={subscriptions} columns={subscriptionColumns} />
          <Part id="payments" title="Payments" none="No payment yet." rows={paid} columns={paymentColumns} />
        </>
      )}
      <Part
        id="events"
        title={<>Events{notAll(eventCount)}</>}
        none="No event yet."
        rows={events}
        columns={eventColumns}
      />
    </>
  )
}

const actions = {
  endAccountSessions: {
    label: 'Sign Out Everywhere',
    title: (name: string) => `Sign ${name} out everywhere?`,
    says: 'Every device is signed out, and gets no alerts. The password stays as it is: anyone who knows it can sign in again.',
    pending: 'Signing out...',
    done: 'Signed out everywhere',
    failed: 'No device was signed out',
  },
  closeAccount: {
    label: 'Close Account',
    title: (name: string) => `Close ${name}’s account?`,
    says: 'Every device is signed out, no one can sign in, and guests do not see its events. Its owner is notified by email. Nothing is deleted, and you can reopen it.',
    pending: 'Closing...',
    done: 'The account is closed',
    failed: 'The account was not closed',
  },
  reopenAccount: {
    label: 'Reopen Account',
    title: (name: string) => `Reopen ${name}’s account?`,
    says: 'Its owner can sign in with the password as it was, and guests see its events again. They get no email about it.',
    pending: 'Reopening...',
    done: 'The account is open again',
    failed: 'The account was not reopened',
  },
} as const
type Action = keyof typeof actions

/** An admin's own account is left out, because no one could reopen it. */
function Actions({ account, onDone }: { account: AccountPage; onDone: () => void }) {
  const { id, username, closedAt } = account
  const { user } = useSession()
  const [asking, setAsking] = useState<Action | null>(null)
  if (user?.id === id) return null
  return (
    <Section id="access" title="Access">
      <div className="flex flex-wrap gap-3">
        {closedAt === null ? (
          <>
            <Button variant="secondary" onClick={() => setAsking('endAccountSessions')}>
              {actions.endAccountSessions.label}
            </Button>
            <Button variant="danger-quiet" onClick={() => setAsking('closeAccount')}>
              {actions.closeAccount.label}
            </Button>
          </>
        ) : (
          <Button variant="secondary" onClick={() => setAsking('reopenAccount')}>
            {actions.reopenAccount.label}
          </Button>
        )}
      </div>
      {asking && (
        <AskFirst
          key={asking}
          action={asking}
          account={{ id, username }}
          onClose={() => setAsking(null)}
          onDone={onDone}
        />
      )}
    </Section>
  )
}

function AskFirst(props: {
  action: Action
  account: Pick<AccountPage, 'id' | 'username'>
  onClose: () => void
  onDone: () => void
}) {
  const { action, account, onClose, onDone } = props
  const { label, title, says, pending: pendingText, done, failed } = actions[action]
  const [pending, run] = useAction(failed)
  const act = () =>
    run(async () => {
      await call(action, { params: { id: account.id } })
      toast({ title: done, description: account.username })
      onClose()
      onDone()
    })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => void act()}
      title={title(account.username)}
      confirmLabel={label}
      pending={pending}
      pendingText={pendingText}
      variant={action === 'reopenAccount' ? 'primary' : 'danger'}
    >
      {says}
    </ConfirmDialog>
  )
}

function Part<Row extends { readonly id: number }>(props: {
  id: string
  title: ReactNode
  none: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
}) {
  const { id, title, none, rows, columns } = props
  return (
    <Section id={id} title={title}>
      {rows.length === 0 ? (
        <p className="text-muted">{none}</p>
      ) : (
        <DataTable caption={`The account’s ${id}`} columns={columns} rows={rows} rowKey={(row) => row.id} />
      )}
    </Section>
  )
}
