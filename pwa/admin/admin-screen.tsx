import { Download } from 'lucide-react'
import type { AdminAccount, AdminStats } from '#shared/admin/admin-calls.ts'
import { wholeDollars } from '#shared/billing/plan.ts'
import { hasPlans } from '../device/has-plans.ts'
import { useSession } from '../device/session/session.ts'
import { ComingSoonButton, TooltipProvider } from '../ui/tooltip.tsx'
import { Page, Section } from '../ui/page.tsx'
import { Stat } from '../ui/figures.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { AccessDenied } from './access-denied.tsx'
import { Accounts } from './accounts.tsx'
import { AdminEvents } from './admin-events.tsx'
import { FailedJobs } from './failed-jobs.tsx'
import { QueryResult, type Asked } from './query-result.tsx'
import { PromoCodes } from './promo-codes.tsx'
import { SitePanel } from './site-panel.tsx'
import { SeriesPanel } from './series-panel.tsx'
import { useAdminAccounts, useAdminEvents, useAdminStats, useFailedJobs, usePromoCodes } from './admin-answers.ts'
import { NewestOrWhy } from '../ui/page/as-of.tsx'
import { LoginRequired } from '../ui/page/login-required.tsx'
import { usePageTitle } from '../ui/page/page-title.ts'

interface StatCard {
  readonly label: string
  readonly hint?: string
  readonly value: (stats: AdminStats) => string
}

const cards: readonly StatCard[] = [
  { label: 'Total Users', value: ({ totalUsers }) => counted(totalUsers) },
  { label: 'Active Users', hint: 'with upcoming events', value: ({ activeUsers }) => counted(activeUsers) },
  { label: 'Total Events', value: ({ totalEvents }) => counted(totalEvents) },
]

const planCards: readonly StatCard[] = [
  { label: 'Subscriptions', hint: 'active', value: ({ totalSubscriptions }) => counted(totalSubscriptions) },
  { label: 'Revenue', value: ({ totalRevenue }) => wholeDollars(totalRevenue) },
  { label: 'Promo Uses', value: ({ promoCodeUses }) => counted(promoCodeUses) },
]

const counted = (count: number) => count.toLocaleString('en-US')

export function AdminScreen() {
  const { user } = useSession()
  usePageTitle(user?.isAdmin ? 'Admin Dashboard' : 'Access Denied')
  if (!user) return null
  return user.isAdmin ? <Dashboard /> : <AccessDenied />
}

function Dashboard() {
  const stats = useAdminStats()
  const accounts = useAdminAccounts()
  const { answer, failure } = stats
  const failedJobs = useFailedJobs()
  const reload = async () => {
    await Promise.all([stats.ask(), accounts.ask()])
  }
  if (failure?.kind === 'denied') return <AccessDenied />
  return (
    <TooltipProvider>
      <Page title="Admin Dashboard">
        <LoginRequired>Please log in to access the admin dashboard.</LoginRequired>
        <NewestOrWhy asked={{ ...stats, ask: reload }} failedTitle="The newest numbers could not be loaded" />
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 xl:grid-cols-6">
          {[...cards, ...(hasPlans() ? planCards : [])].map(({ label, hint, value }) => (
            <Stat
              key={label}
              label={label}
              hint={hint}
              value={answer ? value(answer) : failure === null ? null : '—'}
            />
          ))}
        </div>
        <div className="mt-10">
          <Tabs
            label="Parts of the admin dashboard"
            tabs={[
              {
                value: 'accounts',
                label: 'Accounts',
                keep: true,
                content: <AccountsPart asked={accounts} />,
              },
              { value: 'events', label: 'Events', content: <EventsPart /> },
              { value: 'figures', label: 'Figures', content: <SeriesPanel /> },
              {
                value: 'jobs',
                label: <Counted label="Failed" more="jobs" count={failedJobs.answer?.length ?? 0} />,
                content: (
                  <QueryResult asked={failedJobs} what="The list of failed jobs" level={2}>
                    {(jobs) => <FailedJobs jobs={jobs} onChanged={failedJobs.ask} />}
                  </QueryResult>
                ),
              },
              { value: 'site', label: 'Site', keep: true, content: <SitePanel /> },
              ...(hasPlans()
                ? [
                    {
                      value: 'promo-codes',
                      label: <Counted label="Promo" more="codes" count={0} />,
                      content: <PromoCodesPart />,
                    },
                  ]
                : []),
            ]}
          />
        </div>
      </Page>
    </TooltipProvider>
  )
}

function EventsPart() {
  const asked = useAdminEvents()
  return (
    <Section id="all-events" title="Events of All Organizers">
      <QueryResult asked={asked} what="The list of events" level={3}>
        {(events) => <AdminEvents events={events} onChanged={() => void asked.ask()} />}
      </QueryResult>
    </Section>
  )
}

function PromoCodesPart() {
  const asked = usePromoCodes()
  return (
    <QueryResult asked={asked} what="The list of promo codes" level={2}>
      {(codes) => <PromoCodes codes={codes} onChanged={() => void asked.ask()} />}
    </QueryResult>
  )
}

/** Phones hide `more` visually. */
function Counted({ label, more, count }: { label: string; more?: string; count: number }) {
  return (
    <span className="inline-flex flex-wrap items-center justify-center gap-x-1.5">
      <span>
        {label}
        {more && <span className="max-sm:sr-only"> {more}</span>}
      </span>
      {count > 0 && <span className="font-semibold text-error tabular-nums">{count}</span>}
    </span>
  )
}

function AccountsPart({ asked }: { asked: Asked<readonly AdminAccount[]> }) {
  return (
    <Section
      id="accounts"
      title="User Accounts"
      aside={
        <div className="flex items-center gap-3">
          <span className="text-sm text-muted">Coming soon</span>
          <ComingSoonButton icon={<Download className="size-5" />}>Export Data</ComingSoonButton>
        </div>
      }
    >
      <QueryResult
        asked={asked}
        what="The list of accounts"
        level={3}
        why="Other people’s names and addresses are not kept on this device. It will show here automatically when our server answers."
      >
        {(known) => <Accounts accounts={known} />}
      </QueryResult>
    </Section>
  )
}
