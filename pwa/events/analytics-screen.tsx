import { Link } from 'react-router-dom'
import { includesAnalytics } from '#shared/billing/subscription-state.ts'
import type { Analytics, AnswerTimes } from '#shared/events/analytics-calls.ts'
import { formatDate } from '#shared/time/date-range.ts'
import { inWords } from '../applications/manage/figures-panel.tsx'
import { useAccountAnswer, type AccountQuestion } from '../device/session/account-answers.ts'
import { hasPlans } from '../device/has-plans.ts'
import { useSession } from '../device/session/session.ts'
import { paths } from '../paths.ts'
import { call, useAccount, type questions } from '../sync/index.ts'
import { BarCard } from '../ui/bar-card.tsx'
import { ButtonLink, TryAgain } from '../ui/button.tsx'
import { Card, CardTitle } from '../ui/card.tsx'
import { DataTable, type Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Stat } from '../ui/figures.tsx'
import { Skeleton } from '../ui/loading.tsx'
import { NewestOrWhy } from '../ui/page/as-of.tsx'
import { LoginRequired } from '../ui/page/login-required.tsx'
import { TitledPage } from '../ui/page/titled-page.tsx'

const question: AccountQuestion<Analytics> = {
  call: (signal) => call('getAnalytics', { signal }),
  onDisk: 'analytics',
}
const when: questions.RefetchOptions<Analytics> = { visible: true, reachable: 'always' }

export function AnalyticsScreen() {
  const { user } = useSession()
  const account = useAccount()
  // The session may be older than the plan.
  const known = account?.user ?? user
  return (
    <TitledPage back={{ to: paths.dashboard, label: 'Dashboard' }} title="Analytics" lead="Across all of your events.">
      <LoginRequired>Please log in to see your figures.</LoginRequired>
      {known && (!hasPlans() || includesAnalytics(known) ? <Figures /> : <NotInPlan />)}
    </TitledPage>
  )
}

const shows = [
  'where applications come from: QR codes, shared links, search engines, other sites',
  'how fast you answer, for each event and over all',
  'which questions are answered, and what is chosen',
  'your events side by side, from page views to Beacons who came',
  'the days of the week on which people apply',
] as const

function NotInPlan() {
  return (
    <Card className="max-w-2xl">
      <CardTitle>Part of the Unlimited plan</CardTitle>
      <p>Advanced analytics show you</p>
      <ul className="mt-2 mb-6 flex list-disc flex-col gap-1.5 pl-5">
        {shows.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <ButtonLink to={paths.pricing}>See Plans</ButtonLink>
    </Card>
  )
}

function Figures() {
  const asked = useAccountAnswer(question, when)
  const { answer, failure, ask } = asked
  if (answer === null && failure === null) return <Skeleton shape="card" count={3} label="Loading your figures" />
  if (answer === null && failure?.kind === 'unreachable') {
    return (
      <EmptyState
        illustration="offline"
        title="Your figures are not on this device yet"
        action={<TryAgain onClick={() => void ask()} />}
      >
        Beaconry cannot be reached. Once you have opened this page, its figures are here without a network too.
      </EmptyState>
    )
  }
  return (
    <>
      <NewestOrWhy asked={asked} failedTitle="The newest figures could not be loaded" />
      {answer && <Known analytics={answer} />}
    </>
  )
}

type EventFigures = Analytics['events'][number]

function Known({ analytics }: { analytics: Analytics }) {
  const { events, sources, questions, weekdays, answers } = analytics
  const total = (of: 'views' | 'applications' | 'approved' | 'came') =>
    events.reduce((sum, event) => sum + event[of], 0)
  if (total('views') === 0 && total('applications') === 0) {
    return (
      <EmptyState
        illustration="beacons"
        title="Nothing to Count Yet"
        action={<ButtonLink to={paths.dashboard}>Go to Dashboard</ButtonLink>}
      >
        Share an event’s page: its views and applications are counted here.
      </EmptyState>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        <Stat label="Page views" value={counted(total('views'))} />
        <Stat label="Applications" value={counted(total('applications'))} />
        <Stat label="Approved" value={counted(total('approved'))} />
        <Stat label="Came" value={counted(total('came'))} />
      </div>
      <div className="grid gap-4 lg:grid-cols-2 lg:items-start">
        <div className="flex flex-col gap-4">
          <BarCard
            title="Where applications come from"
            nameHeader="Source"
            columns={['Views', 'Applied', 'Conversion']}
            rows={sources.map(({ source, views, applications }) => ({
              name: sourceNames[source],
              bar: applications,
              cells: [counted(views), counted(applications), share(applications, views)],
            }))}
          />
          <AnswerTime answers={answers} />
        </div>
        <BarCard
          title="When people apply"
          caption="Applications by day of the week"
          nameHeader="Day"
          columns={['Applications']}
          rows={days.map((name, index) => barOf(name, weekdays[index] ?? 0))}
        />
      </div>
      <div>
        <h2 className="mt-4 mb-3 text-xl">Across events</h2>
        <DataTable caption="Across events" columns={eventColumns} rows={events} rowKey={({ id }) => id} />
      </div>
      <Questions questions={questions} />
    </div>
  )
}

const barOf = (name: string, count: number) => ({ name, bar: count, cells: [counted(count)] })
const counted = (count: number) => count.toLocaleString('en-US')
/** A dash for a share of nothing, or above the whole: a page opened without a network is not counted. */
const share = (part: number, of: number) => (of === 0 || part > of ? '–' : `${Math.round((part / of) * 100)}%`)
const within = (ms: number | null) => (ms === null ? '–' : inWords(ms))

const sourceNames: Record<Analytics['sources'][number]['source'], string> = {
  qr: 'QR code',
  share: 'Shared link',
  search: 'Search engine',
  site: 'Another site',
  direct: 'Direct',
  unknown: 'Not known',
}

function AnswerTime({ answers: { answered, halfWithinMs, nineOfTenWithinMs } }: { answers: AnswerTimes }) {
  const figures = [
    ['Median answer time', halfWithinMs],
    ['Nine of ten within', nineOfTenWithinMs],
  ] as const
  return (
    <Card title="How fast you answer" aside={<span className="text-sm text-muted">{counted(answered)} answered</span>}>
      <dl className="grid grid-cols-2 gap-4">
        {figures.map(([label, ms]) => (
          <div key={label}>
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="text-xl font-semibold">{within(ms)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

const numberColumn = (key: 'views' | 'applications' | 'approved' | 'came', header: string): Column<EventFigures> => ({
  key,
  header,
  align: 'end',
  cell: (event) => counted(event[key]),
})

const eventColumns: readonly Column<EventFigures>[] = [
  {
    key: 'event',
    header: 'Event',
    rowHeader: true,
    cell: ({ id, name, startDate }) => (
      <div className="min-w-44">
        <Link to={paths.manageEvent(id)} className="touch-target font-medium underline underline-offset-4">
          {name}
        </Link>
        <span className="block text-sm text-muted">{formatDate(startDate)}</span>
      </div>
    ),
  },
  numberColumn('views', 'Page views'),
  numberColumn('applications', 'Applications'),
  numberColumn('approved', 'Approved'),
  numberColumn('came', 'Came'),
  { key: 'half', header: 'Median answer time', align: 'end', cell: ({ halfWithinMs }) => within(halfWithinMs) },
  {
    key: 'most',
    header: 'Nine of ten within',
    align: 'end',
    cell: ({ nineOfTenWithinMs }) => within(nineOfTenWithinMs),
  },
]

function Questions({ questions }: Pick<Analytics, 'questions'>) {
  if (questions.length === 0) return null
  return (
    <div className="grid gap-4 lg:grid-cols-2 lg:items-start">
      <BarCard
        title="Questions answered"
        nameHeader="Question"
        columns={['Answered']}
        max={1}
        rows={questions.map(({ question, asked, answered }) => ({
          name: question,
          bar: answered / Math.max(1, asked),
          cells: [`${counted(answered)} of ${counted(asked)}`],
        }))}
      />
      {questions.map(
        ({ question, choices }) =>
          choices && (
            <BarCard
              key={question}
              title={question}
              nameHeader="Answer"
              columns={['Applications']}
              rows={choices.map(({ choice, applications }) => barOf(choice, applications))}
            />
          ),
      )}
    </div>
  )
}
