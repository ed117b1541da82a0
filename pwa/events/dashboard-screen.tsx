import { Plus, ShieldCheck, BellRing } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { useObservable, reachability, createEvent, type EventRow, useAccount, foldedView } from '../sync/index.ts'
import { paths } from '../paths.ts'
import { useSession } from '../device/session/session.ts'
import { entryLabel } from '../device/session/queued-entry.ts'
import { useOutbox } from '../device/session/use-outbox.ts'
import { ButtonLink, Button } from '../ui/button.tsx'
import { FilterChips } from '../ui/choice-fields.tsx'
import { SearchField } from '../ui/text-field.tsx'
import { Card, CardLink } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page, Section } from '../ui/page.tsx'
import { Skeleton, SkeletonLine } from '../ui/loading.tsx'
import { Glyph } from '../ui/status-badge.tsx'
import { formatMoment } from '../ui/page/local-time.ts'
import { bySpan, namedLike, spans, type Span } from './dashboard-events.ts'
import { FirstCopy } from './first-copy.tsx'
import { GuardedRow } from '../ui/failure-boundary.tsx'
import { OrganizerEventCard } from './event-card.tsx'
import { SubscriptionCard } from '../billing/subscription-card.tsx'
import { AccountEnding } from '../accounts/account-ending.tsx'
import { UnconfirmedEmail } from '../accounts/unconfirmed-email.tsx'
import { hasPlans } from '../device/has-plans.ts'
import { useDismissal } from '../device/dismissals.ts'
import { usePushAlerts } from '../device/push-alerts.ts'
import { useNow } from '../ui/page/use-now.ts'
import { usePageTitle } from '../ui/page/page-title.ts'
import { toast } from '../ui/toast.ts'
import { toastFailure } from '../ui/forms/failure-toast.ts'

export function DashboardScreen() {
  usePageTitle('Dashboard')
  const { user } = useSession()
  const { status, events, asOf } = useObservable(foldedView)
  const account = useAccount()
  const unreachable = useObservable(reachability) === 'unreachable'
  const now = useNow()
  // An unconfirmed address most likely belongs to a new account without events.
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
            <AccountEnding user={account?.user ?? user} />
          </div>
          <div className="mb-6 empty:hidden">
            <UnconfirmedEmail user={account?.user ?? user} />
          </div>
        </>
      )}
      {status === 'loading' ? hasEvents && <WaitingSkeleton /> : <WaitingForYou events={events} />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Section
          id="your-events"
          title="Your Events"
          aside={
            <ButtonLink to={paths.createEvent} icon={<Plus className="size-5" />}>
              Create New Event
            </ButtonLink>
          }
        >
          <RefusedCreations />
          {/* There before the events, which do not move then. */}
          {hasEvents && (
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
                action={<ButtonLink to={paths.createEvent}>Create Your First Event</ButtonLink>}
              >
                Publish an event and people can apply to be its Beacons.
              </EmptyState>
            </Card>
          ) : (
            <YourEvents events={events} now={now} />
          )}
        </Section>
        <div className="flex flex-col gap-4">
          {hasPlans() &&
            (account ? (
              <SubscriptionCard account={account} now={now} />
            ) : (
              <Skeleton shape="card" label="Loading your plan" />
            ))}
          {hasEvents && (
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

/** Mostly for want of a plan. */
function RefusedCreations() {
  const { items } = useOutbox()
  const refused = items.filter(
    ({ entry, syncState }) => entry.mutation === createEvent.name && syncState === 'needs-attention',
  )
  if (refused.length === 0) return null
  return (
    <ul className="mb-3 flex flex-col gap-3">
      {refused.map(({ entry, reason }) => (
        <Card key={entry.seq} as="li" tone="error" padding="tight">
          <h3 className="flex items-start gap-2 text-lg leading-snug">
            <Glyph of="needs-attention" className="mt-1.5 text-error" />
            <CardLink to={paths.sync}>{entryLabel(entry)}</CardLink>
          </h3>
          <p className="mt-1 text-sm">Not published yet. {reason} Nothing you wrote is lost.</p>
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

/** So many are found by looking. */
const fewEvents = 6

function YourEvents({ events, now }: { events: readonly EventRow[]; now: Date }) {
  const [span, setSpan] = useState<Span>('upcoming')
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text)
  const found = useMemo(() => bySpan(namedLike(events, wanted), now), [events, wanted, now])
  const chips = spans
    .filter((value) => value === 'upcoming' || value === span || found[value].length > 0)
    .map((value) => ({ value, label: spanLabels[value], count: found[value].length }))
  return (
    <>
      {events.length > fewEvents && (
        <div className="mb-2 sm:max-w-sm">
          <SearchField
            label="Search your events"
            placeholder="Name, venue, city"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </div>
      )}
      {chips.length > 1 && (
        <div className="mb-2">
          <FilterChips label="Show events" chips={chips} value={span} onChange={setSpan} />
        </div>
      )}
      <EventList
        key={`${span} ${wanted}`}
        rows={found[span]}
        none={text.trim() === '' ? 'Nothing is coming up.' : 'No event is called that.'}
      />
    </>
  )
}

/** A phone's few screens. */
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

/** Leads to one event's applicants, or to those of all. */
function WaitingForYou({ events }: { events: readonly EventRow[] }) {
  const waiting = events
    .filter(({ counts }) => counts.pending > 0)
    .sort((one, other) => other.counts.pending - one.counts.pending)
  const [most] = waiting
  if (!most) return null
  const total = waiting.reduce((sum, { counts }) => sum + counts.pending, 0)
  const where =
    waiting.length === 1
      ? `For ${most.event.name}`
      : `For ${waiting.length} events, most of them for ${most.event.name}`
  return (
    <Card tone="signal" className="mb-8">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div className="min-w-0">
          <p className="text-2xl font-semibold tracking-tight">
            <span className="tabular-nums">{total}</span> waiting for you
          </p>
          <p className="mt-0.5 text-sm">{where}</p>
        </div>
        <ButtonLink to={waiting.length === 1 ? paths.manageEvent(most.event.id) : paths.inbox} size="large">
          Review
        </ButtonLink>
      </div>
    </Card>
  )
}

/** Renders nothing where alerts are on, denied, impossible or declined. */
function PushCard() {
  const { state, busy, turnOn } = usePushAlerts()
  const { dismissed, dismiss } = useDismissal('push-card')
  if (dismissed || (state !== 'off' && state !== 'needs-install')) return null

  const start = async () => {
    try {
      const next = await turnOn()
      if (next === 'on') toast({ title: 'Alerts are on', description: 'This device tells you when someone applies.' })
      if (next === 'denied') {
        toast({ title: 'Alerts stay off', description: 'You can allow them in the settings of your browser.' })
      }
    } catch (error) {
      toastFailure('Alerts could not be turned on', error)
    }
  }

  return (
    <Card as="section" tone="quiet" padding="tight" aria-labelledby="push-card">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <BellRing className="size-6 shrink-0 text-signal" />
        <div className="min-w-0 flex-[1_1_14rem]">
          <h2 id="push-card" className="text-base">
            Get an alert when someone applies
          </h2>
          <p className="text-sm text-muted">
            {state === 'off'
              ? 'On this device, without the applicant’s name on the lock screen.'
              : 'On this device alerts need the app: in Safari press Share, then Add to Home Screen, and open Beaconry from there.'}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {state === 'off' && (
            <Button variant="secondary" pending={busy} pendingText="Turning on..." onClick={() => void start()}>
              Turn On Alerts
            </Button>
          )}
          <Button variant="ghost" onClick={dismiss}>
            Not now
          </Button>
        </div>
      </div>
    </Card>
  )
}
