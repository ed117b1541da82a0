import { Plus, ShieldCheck } from 'lucide-react'
import { useDeferredValue, useMemo, useState, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { formatTimes } from '#shared/time/date-range.ts'
import {
  reachability,
  type EventRow,
  useAccount,
  foldedView,
  mutations,
  useOutbox,
  describeEntry,
} from '../sync/index.ts'
import { useObservable } from '../browser/observable.ts'
import { paths } from '../paths.ts'
import { may } from '../device/session/acting.ts'
import { useSession } from '../device/session/session.ts'
import { ButtonLink, Button } from '../ui/button.tsx'
import { FilterChips } from '../ui/choice-fields.tsx'
import { SearchField } from '../ui/text-field.tsx'
import { Card, CardLink } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page, Section } from '../ui/page.tsx'
import { Skeleton, SkeletonLine } from '../ui/loading.tsx'
import { Glyph } from '../ui/status-badge.tsx'
import { formatMoment } from '../ui/page/local-time.ts'
import { bySpan, namedLike, spans, todaysEvents, todaysTitle, type Span } from './dashboard-events.ts'
import { FirstCopy } from './first-copy.tsx'
import { KeptHeight } from './kept-height.tsx'
import { ReadyLink } from './ready/ready-link.tsx'
import { GuardedRow } from '../ui/failure-boundary.tsx'
import { OrganizerEventCard } from './event-card.tsx'
import { TeamCards } from '../team/team-card.tsx'
import { useUnpublishedForms } from './form/event-drafts.ts'
import { TeamLeft } from '../team/team-left.tsx'
import { PushCard } from './push-card.tsx'
import { SubscriptionCard } from '../billing/subscription-card.tsx'
import { AccountEnding } from '../accounts/account-ending.tsx'
import { UnconfirmedEmail } from '../accounts/unconfirmed-email.tsx'
import { hasPlans } from '../device/has-plans.ts'
import { useNow } from '../ui/page/use-now.ts'
import { usePageTitle } from '../ui/page/page-title.ts'

export function DashboardScreen() {
  usePageTitle('Dashboard')
  const { user } = useSession()
  const { status, events, asOf } = useObservable(foldedView)
  const account = useAccount()
  const unreachable = useObservable(reachability) === 'unreachable'
  const now = useNow()
  // An account with an unconfirmed address is most likely new and without events.
  const hasEvents = status === 'loading' ? user?.emailVerified !== false : events.length > 0

  return (
    <Page
      title={`Welcome, ${user?.username ?? ''}`}
      titleAside={
        // For installed apps, which have no address bar: the phone's menu has no such entry.
        user?.isAdmin && (
          <ButtonLink to={paths.admin} variant="secondary" icon={<ShieldCheck className="size-4" />}>
            Admin Dashboard
          </ButtonLink>
        )
      }
      lead={unreachable && asOf ? `Everything below is on this device, as of ${formatMoment(asOf, now)}.` : undefined}
    >
      {user && (
        <>
          <div className="mb-6 empty:hidden">
            <AccountEnding
              user={account?.user ?? user}
              action={
                <ButtonLink to={paths.accountSettings} variant="secondary">
                  Keep My Account
                </ButtonLink>
              }
            />
          </div>
          <div className="mb-6 empty:hidden">
            <UnconfirmedEmail user={account?.user ?? user} />
          </div>
        </>
      )}
      <KeptHeight name="beaconry/dashboard-lead" loading={status === 'loading'}>
        {status === 'loading' ? hasEvents && <WaitingSkeleton /> : <WaitingForYou events={events} now={now} />}
        {/* Several scroll sideways on a phone: below each other they would push the page down while it loads. */}
        <div className="-mt-4 mb-8 flex gap-2 overflow-x-auto empty:hidden sm:flex-col">
          {events.map((row) => (
            <ReadyLink
              key={row.event.id}
              row={row}
              named
              className="shrink-0 basis-[calc(100%-2.5rem)] only:basis-full sm:basis-auto"
            />
          ))}
        </div>
      </KeptHeight>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Section
          id="your-events"
          title={may('owner') ? 'Your Events' : 'Events'}
          aside={
            may('manager') && (
              <ButtonLink to={paths.createEvent} icon={<Plus className="size-5" />}>
                Create New Event
              </ButtonLink>
            )
          }
        >
          <RefusedCreations />
          {user && may('manager') && <UnpublishedForms userId={user.id} />}
          {user && <TeamLeft userId={user.id} />}
          {/* The line is there before the events, which do not move then. */}
          {hasEvents && may('reviewer') && (
            <div className="mb-3 empty:hidden">
              <PushCard />
            </div>
          )}
          {status === 'loading' ? (
            <FirstCopy label="Loading your events" />
          ) : events.length === 0 ? (
            <Card>
              <EmptyState
                illustration="hall"
                title="No Events Yet"
                level={3}
                action={may('manager') && <ButtonLink to={paths.createEvent}>Create Your First Event</ButtonLink>}
              >
                {may('manager')
                  ? 'Publish an event and people can apply to be its Beacons.'
                  : 'They show here as soon as the organizer publishes one.'}
              </EmptyState>
            </Card>
          ) : (
            <YourEvents events={events} now={now} />
          )}
        </Section>
        <div className="flex flex-col gap-4">
          {hasPlans() &&
            may('owner') &&
            (account ? (
              <SubscriptionCard account={account} now={now} />
            ) : (
              <Skeleton shape="card" label="Loading your plan" />
            ))}
          <TeamCards />
          {hasEvents && may('manager') && (
            <Card as="section" padding="tight" aria-labelledby="analytics">
              <h2 id="analytics" className="text-lg">
                <CardLink to={paths.analytics}>Analytics</CardLink>
              </h2>
              <p className="mt-0.5 text-sm text-muted">
                Views, applications and how fast you answer, across all of your events.
              </p>
            </Card>
          )}
        </div>
      </div>
    </Page>
  )
}

/** Most of these were refused for want of a plan. */
function RefusedCreations() {
  const { items } = useOutbox()
  const refused = items.filter(
    ({ entry, syncState }) => entry.mutation === mutations.createEvent.name && syncState === 'needs-attention',
  )
  if (refused.length === 0) return null
  return (
    <ul className="mb-3 flex flex-col gap-3">
      {refused.map(({ entry, reason }) => (
        <Card key={entry.seq} as="li" tone="error" padding="tight">
          <h3 className="flex items-start gap-2 text-lg leading-snug">
            <Glyph of="needs-attention" className="mt-1.5 text-error" />
            <CardLink to={paths.sync}>{describeEntry(entry).label}</CardLink>
          </h3>
          <p className="mt-1 text-sm">Not published yet. {reason} Nothing you wrote is lost.</p>
        </Card>
      ))}
    </ul>
  )
}

/** An event that was written and waits, such as for the payment of its plan, would be found nowhere else. */
function UnpublishedForms({ userId }: { userId: number }) {
  const forms = useUnpublishedForms(userId)
  if (forms.length === 0) return null
  return (
    <ul className="mb-3 flex flex-col gap-3">
      {forms.map(({ key, title, to }) => (
        <Card key={key} as="li" tone="signal" padding="tight">
          <h3 className="text-lg leading-snug [overflow-wrap:anywhere]">
            <CardLink to={to}>{title}</CardLink>
          </h3>
          <p className="mt-1 text-sm">Written on this device and not published yet.</p>
        </Card>
      ))}
    </ul>
  )
}

const spanLabels: Record<Span, string> = {
  upcoming: 'Upcoming',
  today: 'Today',
  week: 'This week',
  later: 'Later',
  past: 'Past',
}

/** So many are found by looking: no search, no filter. */
const fewEvents = 6

export function YourEvents({ events, now }: { events: readonly EventRow[]; now: Date }) {
  const [span, setSpan] = useState<Span>('upcoming')
  const [text, setText] = useState('')
  const isLong = events.length > fewEvents
  const wanted = useDeferredValue(text)
  const found = useMemo(() => bySpan(namedLike(events, wanted), now), [events, wanted, now])
  const chips = spans
    .filter((value) => value === 'upcoming' || value === span || found[value].length > 0)
    .map((value) => ({ value, label: spanLabels[value], count: found[value].length }))
  return (
    <>
      {isLong && (
        <>
          <div className="mb-2 sm:max-w-sm">
            <SearchField
              label="Search your events"
              placeholder="Name, venue, city"
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          </div>
          {chips.length > 1 && (
            <div className="mb-2">
              <FilterChips label="Show events" chips={chips} value={span} onChange={setSpan} />
            </div>
          )}
        </>
      )}
      <EventList
        key={`${span} ${wanted}`}
        rows={isLong ? found[span] : found.upcoming}
        none={text.trim() === '' ? 'Nothing is coming up.' : 'No event is called that.'}
      />
      {!isLong && found.past.length > 0 && (
        <>
          <h3 className="mt-6 mb-2 text-lg">Past</h3>
          <EventList rows={found.past} none="" />
        </>
      )}
    </>
  )
}

/** A phone shows this many on a few screens. */
const shownAtOnce = 20

function EventList({ rows, none }: { rows: readonly EventRow[]; none: string }) {
  const [shown, setShown] = useState(shownAtOnce)
  if (rows.length === 0) return <p className="text-muted">{none}</p>
  const more = Math.min(shownAtOnce, rows.length - shown)
  return (
    <>
      <ul className="flex flex-col gap-3">
        {rows.slice(0, shown).map((row) => (
          <GuardedRow key={row.event.id} of={row}>
            <OrganizerEventCard row={row} />
          </GuardedRow>
        ))}
      </ul>
      {more > 0 && (
        <Button variant="secondary" wide className="mt-3" onClick={() => setShown(shown + more)}>
          Show {more} more of {rows.length - shown}
        </Button>
      )}
    </>
  )
}

function WaitingSkeleton() {
  return (
    <Card className="mb-8">
      <div className="flex flex-wrap items-center justify-between gap-4" aria-hidden="true">
        <div className="w-full sm:w-72">
          <p className="flex h-8 items-center">
            <SkeletonLine className="h-6 w-52" />
          </p>
          <p className="mt-0.5 flex h-10 items-center sm:h-5">
            <SkeletonLine className="h-3" />
          </p>
        </div>
        <SkeletonLine className="h-13 w-28" />
      </div>
    </Card>
  )
}

/** Today's event leads; else one event's applicants, or those of all. */
function WaitingForYou({ events, now }: { events: readonly EventRow[]; now: Date }) {
  const waiting = events
    .filter(({ counts }) => counts.pending > 0)
    .sort((one, other) => other.counts.pending - one.counts.pending)
  const today = todaysEvents(events, now)
  const rest = waiting.filter((row) => today.every((one) => one.row !== row))
  const [fullest] = rest
  if (today.length === 0 && !fullest) return null
  const total = rest.reduce((sum, { counts }) => sum + counts.pending, 0)
  const where = fullest && (rest.length === 1 ? fullest.event.name : `${rest.length} events`)
  return (
    <Card tone="signal" className="mb-8">
      <div className="flex flex-col gap-4">
        {today.map((one) => {
          const { event, counts } = one.row
          return (
            <LeadingRow
              key={event.id}
              title={todaysTitle(one)}
              line={[formatTimes(event), event.location].filter(Boolean).join(' · ')}
              action={
                <ButtonLink to={paths.manageEvent(event.id)} size="large">
                  {counts.pending > 0 ? 'Review' : may('reviewer') ? 'Manage Event' : 'Open'}
                </ButtonLink>
              }
            />
          )
        })}
        {fullest &&
          (today.length > 0 ? (
            <p className="-my-3 text-sm">
              <Link
                to={rest.length === 1 ? paths.manageEvent(fullest.event.id) : paths.inbox}
                className="inline-flex min-h-11 items-center underline underline-offset-4 hover:text-signal"
              >
                {total} more waiting for {where}
              </Link>
            </p>
          ) : (
            <LeadingRow
              title={`${total} waiting for you`}
              line={rest.length === 1 ? `For ${where}` : `For ${where}, fullest of them for ${fullest.event.name}`}
              action={
                <ButtonLink to={rest.length === 1 ? paths.manageEvent(fullest.event.id) : paths.inbox} size="large">
                  Review
                </ButtonLink>
              }
            />
          ))}
      </div>
    </Card>
  )
}

function LeadingRow({ title, line, action }: { title: string; line: string; action: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <div className="min-w-0 flex-[1_1_18rem]">
        <p className="text-2xl font-semibold tracking-tight [overflow-wrap:anywhere] tabular-nums">{title}</p>
        <p className="mt-0.5 text-sm">{line}</p>
      </div>
      {action}
    </div>
  )
}
