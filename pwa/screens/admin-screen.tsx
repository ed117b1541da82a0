import { Download } from 'lucide-react'
import type { AdminStats } from '#shared/api/admin.ts'
import { wholeDollars } from '#shared/domain/money.ts'
import { paths } from '../paths.ts'
import { useSession } from '../session/session.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { ComingSoonButton } from '../ui/coming-soon-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page, Section } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Stat } from '../ui/stat.tsx'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { Accounts } from './admin/accounts.tsx'
import { useAdmin } from './admin/use-admin.ts'
import { AsOf } from './as-of.tsx'
import { LoginRequired } from './login-required.tsx'
import { usePageTitle } from './page-title.ts'

const cards: readonly { label: string; hint?: string; value: (stats: AdminStats) => string }[] = [
  { label: 'Total Users', value: ({ totalUsers }) => counted(totalUsers) },
  { label: 'Active Users', hint: 'with upcoming events', value: ({ activeUsers }) => counted(activeUsers) },
  { label: 'Total Events', value: ({ totalEvents }) => counted(totalEvents) },
  { label: 'Subscriptions', hint: 'active', value: ({ totalSubscriptions }) => counted(totalSubscriptions) },
  { label: 'Revenue', value: ({ totalRevenue }) => wholeDollars(totalRevenue) },
  { label: 'Promo Uses', value: ({ promoCodeUses }) => counted(promoCodeUses) },
]

const counted = (count: number) => count.toLocaleString('en-US')

/** The platform in numbers and everyone with an account, for admins. */
export function AdminScreen() {
  const { user } = useSession()
  usePageTitle(user?.isAdmin ? 'Admin Dashboard' : 'Access Denied')
  if (!user) return null
  return user.isAdmin ? <Dashboard userId={user.id} /> : <AccessDenied />
}

function AccessDenied() {
  return (
    <Page width="narrow">
      <EmptyState
        illustration="lost"
        title="Access Denied"
        level={1}
        action={<ButtonLink to={paths.dashboard}>Go to Dashboard</ButtonLink>}
      >
        This page is for admins of Beaconry.
      </EmptyState>
    </Page>
  )
}

function Dashboard({ userId }: { userId: number }) {
  const { stats, accounts, failure, reload } = useAdmin(userId)
  if (failure === 'denied') return <AccessDenied />
  return (
    <TooltipProvider>
      <Page title="Admin Dashboard">
        <LoginRequired>Please log in to access the admin dashboard.</LoginRequired>
        {failure !== null && failure !== 'unreachable' && (
          <div className="mb-6">
            <Alert
              variant="destructive"
              title="The newest numbers could not be loaded"
              action={
                <Button variant="secondary" onClick={reload}>
                  Try Again
                </Button>
              }
            >
              {failure.reason}
            </Alert>
          </div>
        )}
        <AsOf asOf={stats?.asOf ?? null} stale={failure !== null} onReload={reload} />
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-6">
          {cards.map(({ label, hint, value }) => (
            <Stat
              key={label}
              label={label}
              hint={hint}
              value={stats ? value(stats.value) : failure === null ? null : '—'}
            />
          ))}
        </div>
        <Section
          id="accounts"
          title="User Accounts"
          aside={
            <div className="flex items-center gap-3">
              <span className="text-sm text-muted">Coming soon</span>
              <ComingSoonButton icon={<Download aria-hidden="true" className="size-5" />}>Export Data</ComingSoonButton>
            </div>
          }
        >
          {accounts ? (
            <Accounts accounts={accounts.value} />
          ) : failure === null ? (
            <Card padding="none">
              <Skeleton shape="row" count={5} label="Loading the accounts" />
            </Card>
          ) : (
            <Card>
              <EmptyState
                illustration="offline"
                title={
                  failure === 'unreachable'
                    ? 'The list of accounts needs a connection'
                    : 'The list of accounts could not be loaded'
                }
                level={3}
                action={
                  <Button variant="secondary" onClick={reload}>
                    Try Again
                  </Button>
                }
              >
                Other people’s names and addresses are not kept on this device. It shows here by itself when our server
                answers.
              </EmptyState>
            </Card>
          )}
        </Section>
      </Page>
    </TooltipProvider>
  )
}
