import { Clock, ExternalLink, Gift, MapPin, Ticket, Users, type LucideIcon } from 'lucide-react'
import { Suspense, useState, type ReactNode } from 'react'
import type { PublicBeacon } from '#shared/applications/application-calls.ts'
import { closedMessageOf } from '#shared/events/cancellation.ts'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { formatDeadline, formatTimes, formatEventDays } from '#shared/time/date-range.ts'
import { applicationsAreOpen, hasEnded } from '#shared/time/event-time.ts'
import type { useBeacons } from '../device/public-events.ts'
import type { OwnStanding } from '../applications/own-standing.tsx'
import { HostedBy } from '../applications/hosted-by.tsx'
import { CalendarMenu } from '../applications/calendar-menu.tsx'
import { BeaconCard } from '../applications/beacon-card.tsx'
import { useNow } from '../ui/page/use-now.ts'
import { paths } from '../paths.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { FailureBoundary, loadable } from '../ui/failure-boundary.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Skeleton, SkeletonLine } from '../ui/loading.tsx'
import { Section } from '../ui/page.tsx'
import { DayLeaf, OnNow, cityAndState } from './event-card.tsx'
import { EventCover } from '../applications/event-cover.tsx'
import { LinkedText } from './linked-text.tsx'

export type FoundBeacons = ReturnType<typeof useBeacons>

export interface EventArticleProps {
  readonly event: PublicEvent
  /** The server said so at this time (ISO). */
  readonly asOf: string
  readonly beacons: FoundBeacons
  readonly isOwn: boolean
  /** Describes the application that this device holds; null means none. */
  readonly standing?: OwnStanding | null
  readonly share?: ReactNode
  /** It is true for one column, whatever the width of the window is. */
  readonly isNarrow?: boolean
}

/** Shows what guests see of an event, on its own page and in the preview before it is public. */
export function EventArticle(props: EventArticleProps) {
  const { event, asOf, beacons, isOwn, standing = null, share, isNarrow = false } = props
  const now = useNow()
  const open = applicationsAreOpen(event, now)
  const isCancelled = event.cancelledAt !== undefined
  const offers = open || standing !== null
  const hasBar = offers && !isOwn && !isNarrow
  const action = offers && <ApplyLink event={event} standing={standing} isQuiet={isOwn} />
  return (
    <div className={`grid gap-x-12 gap-y-8 ${isNarrow ? '' : 'lg:grid-cols-[minmax(0,1fr)_22rem]'}`}>
      <div className={`flex min-w-0 flex-col gap-y-8 ${isNarrow ? '' : 'lg:contents'}`}>
        <div className="min-w-0">
          <EventCover event={event} className={`mb-5 aspect-5/2 rounded-box ${isNarrow ? '' : 'lg:aspect-3/1'}`} />
          {hasEnded(event, now) && !isCancelled ? <Badge>This event is over</Badge> : <OnNow event={event} />}
          <h1 className="mt-2 text-3xl sm:text-4xl">{event.name}</h1>
          <div className="mt-2">
            <HostedBy event={event} />
          </div>
          <div className="mt-6">
            <Facts event={event} asOf={asOf} beacons={beacons} />
          </div>
          {share && <div className="mt-5">{share}</div>}
        </div>
        <aside className={isNarrow ? '' : 'lg:sticky lg:top-24 lg:row-span-2 lg:self-start'}>
          <BecomeBeacon event={event} open={open} action={action} hasBar={hasBar} />
        </aside>
        {hasBar && (
          // On a phone the action is at hand from the first screen on: it sticks to the lower edge until its place
          // under the incentives comes into sight, where it stays. It is one link, so nothing lies over anything there.
          <div className="no-print pointer-events-none sticky bottom-0 z-20 -mx-4 -mt-4 bg-linear-to-t from-base-200 from-60% to-transparent px-4 pt-5 pb-[calc(0.75rem+var(--safe-bottom))] sm:-mx-6 sm:px-6 lg:hidden">
            <div className="pointer-events-auto">{action}</div>
          </div>
        )}
      </div>
      <div className="min-w-0">
        <Section id="about" title="About this event">
          <p className="max-w-prose whitespace-pre-line">
            <LinkedText text={event.description} />
          </p>
        </Section>
        <Beacons event={event} open={open && standing === null} found={beacons} />
      </div>
    </div>
  )
}

const tile = 'grid size-14 shrink-0 place-items-center rounded-xl border border-base-300 bg-base-100 text-muted'

function Fact({ icon: Icon, leaf, children }: { icon?: LucideIcon; leaf?: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-start gap-4">
      {Icon ? (
        <span className={tile} aria-hidden="true">
          <Icon className="size-6" />
        </span>
      ) : (
        leaf
      )}
      <div className="min-w-0 self-center">{children}</div>
    </li>
  )
}

function Who({ found: { answer: beacons, failure }, isOver }: { found: FoundBeacons; isOver: boolean }) {
  const names = (beacons ?? []).slice(0, 3).map(({ firstName }) => firstName)
  const more = (beacons?.length ?? 0) - names.length
  const listed = more > 0 ? [...names, `${more} more`] : names
  return (
    <Fact icon={Users}>
      <a href="#beacons" className="block rounded-sm hover:underline hover:underline-offset-4">
        <span className="block text-lg font-semibold">
          {names.length === 0
            ? 'Beacons'
            : names.length === 1
              ? `1 Beacon ${isOver ? 'was there' : 'to meet'}`
              : `${beacons?.length} Beacons ${isOver ? 'were there' : 'to meet'}`}
        </span>
        {!beacons && !failure ? (
          <SkeletonLine className="mt-1.5 h-3 w-40" />
        ) : (
          <span className="block truncate text-muted">
            {names.length === 0 ? 'Approved ones are shown here' : new Intl.ListFormat('en-US').format(listed)}
          </span>
        )}
      </a>
    </Fact>
  )
}

function Facts(props: Pick<EventArticleProps, 'event' | 'asOf' | 'beacons'>) {
  const { event, asOf, beacons } = props
  const times = formatTimes(event)
  const isOver = hasEnded(event, useNow())
  const city = [cityAndState(event) ?? event.state, event.zipCode].filter(Boolean).join(' ')
  const route = `https://www.openstreetmap.org/search?query=${encodeURIComponent([event.address, city].filter(Boolean).join(', '))}`
  return (
    <ul className="flex flex-col gap-4">
      <Fact leaf={<DayLeaf date={event.startDate} />}>
        <p className="text-lg font-semibold">{formatEventDays(event)}</p>
        {times && <p className="text-muted">{times}</p>}
        {!isOver && event.cancelledAt === undefined && <CalendarMenu event={event} asOf={asOf} />}
      </Fact>
      <Fact icon={MapPin}>
        <p className="text-lg font-semibold">{event.location}</p>
        <p className="text-muted">
          <a
            href={route}
            target="_blank"
            rel="noopener noreferrer"
            className="underline decoration-edge underline-offset-4 hover:text-base-content"
          >
            {event.address}
            {city && <span className="block">{city}</span>}
            <span className="sr-only"> (map, opens in a new tab)</span>
          </a>
        </p>
      </Fact>
      <Who found={beacons} isOver={isOver} />
      {event.registrationUrl && (
        <Fact icon={Ticket}>
          <a
            href={event.registrationUrl}
            target="_blank"
            rel="noopener noreferrer nofollow ugc"
            className="inline-flex min-h-11 items-center gap-1.5 rounded-sm text-lg font-semibold underline underline-offset-4"
          >
            Register on EventBrite
            <ExternalLink className="size-4" />
            <span className="sr-only">(opens in a new tab)</span>
          </a>
        </Fact>
      )}
    </ul>
  )
}

interface ApplyLinkProps {
  readonly event: Pick<PublicEvent, 'id'>
  readonly standing: OwnStanding | null
  readonly isQuiet: boolean
}

export function ApplyLink({ event, standing, isQuiet }: ApplyLinkProps) {
  return (
    <ButtonLink
      to={standing?.to ?? paths.apply(event.id)}
      size="large"
      wide
      variant={isQuiet ? 'secondary' : 'primary'}
    >
      {standing?.label ?? 'Apply to be a Beacon'}
    </ButtonLink>
  )
}

/** `hasBar` means that on a phone the action is below the card. */
function BecomeBeacon(props: { event: PublicEvent; open: boolean; action: ReactNode; hasBar: boolean }) {
  const { event, open, action, hasBar } = props
  const deadline = formatDeadline(event)
  return (
    <Card as="section" tone="signal" aria-labelledby="incentives">
      <h2 id="incentives" className="flex items-center gap-2.5 text-xl">
        <Gift className="size-6 text-signal" />
        Beacon Incentives
      </h2>
      <p className="mt-3 whitespace-pre-line">{event.beaconIncentives}</p>
      {action && <div className={`mt-5 ${hasBar ? 'max-lg:hidden' : ''}`}>{action}</div>}
      {open && deadline && <p className="mt-3 text-sm text-muted">Apply by {deadline}.</p>}
      {!open && (
        <p className="mt-5 flex items-start gap-2.5 font-medium">
          <Clock className="mt-0.5 size-5 shrink-0 text-muted" />
          {closedMessageOf(event)}
        </p>
      )}
    </Card>
  )
}

const BeaconSearch = loadable(async () => (await import('./beacon-search.tsx')).BeaconSearch)
/** From this many Beacons on there are too many to look through. */
const searchedFrom = 5

function Beacons({ event, open, found }: { event: PublicEvent; open: boolean; found: FoundBeacons }) {
  const { answer: beacons, failure, ask } = found
  const count = beacons?.length ?? 0
  const isMissing = failure?.kind === 'missing'
  const [matches, setMatches] = useState<((beacon: PublicBeacon) => boolean) | null>(null)
  const shown = matches ? beacons?.filter(matches) : beacons
  return (
    <Section id="beacons" title="Meet the Beacons">
      {!beacons && !failure && <Skeleton shape="card" count={2} label="Loading Beacons" />}
      {!beacons && failure && !isMissing && (
        <p className="text-muted">
          The Beacons of this event are not on this device yet.{' '}
          <Button variant="ghost" size="small" onClick={() => void ask()}>
            Try Again
          </Button>
        </p>
      )}
      {event.guestHint && <p className="mb-4 font-medium">{event.guestHint}</p>}
      {count >= searchedFrom && (
        // Without it every Beacon is listed.
        <FailureBoundary of={event.id} renderInstead={() => null}>
          <Suspense fallback={<div className="h-23" />}>
            <BeaconSearch onSearch={(next) => setMatches(() => next)} />
          </Suspense>
        </FailureBoundary>
      )}
      {shown?.length === 0 && count > 0 && <p className="text-muted">No Beacon here matches what you typed.</p>}
      {shown && shown.length > 0 && (
        <ul className="gap-4 sm:columns-2">
          {shown.map((beacon) => (
            // WebKit would carry a margin over to the top of the next column.
            <li key={beacon.id} className="break-inside-avoid pb-4">
              <BeaconCard beacon={beacon} />
            </li>
          ))}
        </ul>
      )}
      {(isMissing || (beacons && count === 0)) && (
        <EmptyState
          illustration="beacons"
          level={3}
          title="No Beacons Yet"
          action={
            open && (
              <ButtonLink to={paths.apply(event.id)} variant="secondary">
                Be the First Beacon
              </ButtonLink>
            )
          }
        >
          Beacons welcome guests and introduce them to each other. Approved ones are shown here.
        </EmptyState>
      )}
    </Section>
  )
}
