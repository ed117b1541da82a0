import { Clock, ExternalLink, Gift, MapPin, Ticket, Users, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { formatDateRange, formatTimes } from '#shared/time/date-range.ts'
import { applicationsAreOpen, applicationsClosedMessage, hasEnded } from '#shared/time/event-time.ts'
import { useBeacons } from '../sync/index.ts'
import { HostedBy } from '../applications/hosted-by.tsx'
import { CalendarMenu } from '../applications/calendar-menu.tsx'
import { ShareButton, ShareRow } from '../applications/share-row.tsx'
import { BeaconCard } from '../applications/beacon-card.tsx'
import { allEvents, PublicEventPage, type ShownEvent } from '../applications/public-event-page.tsx'
import { AsOf } from '../ui/page/as-of.tsx'
import { usePageTitle } from '../ui/page/page-title.ts'
import { useNow } from '../ui/page/use-now.ts'
import { paths } from '../paths.ts'
import { useSession } from '../device/session/session.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Skeleton, SkeletonLine } from '../ui/loading.tsx'
import { Page, Section } from '../ui/page.tsx'
import { DayLeaf, cityAndState } from './event-card.tsx'
import { EventCover } from './event-cover.tsx'

type FoundBeacons = ReturnType<typeof useBeacons>

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

function Who({ found: { answer: beacons, failure } }: { found: FoundBeacons }) {
  const names = (beacons ?? []).slice(0, 3).map(({ firstName }) => firstName)
  const more = (beacons?.length ?? 0) - names.length
  const listed = more > 0 ? [...names, `${more} more`] : names
  return (
    <Fact icon={Users}>
      <a href="#beacons" className="block rounded-sm hover:underline hover:underline-offset-4">
        <span className="block text-lg font-semibold">
          {names.length === 0 ? 'Beacons' : `${beacons?.length} ${names.length === 1 ? 'Beacon' : 'Beacons'} to meet`}
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

function Facts(props: Pick<ShownEvent, 'event' | 'asOf'> & { beacons: FoundBeacons }) {
  const { event, asOf, beacons } = props
  const times = formatTimes(event)
  const city = [cityAndState(event) ?? event.state, event.zipCode].filter(Boolean).join(' ')
  const route = `https://www.openstreetmap.org/search?query=${encodeURIComponent([event.address, city].filter(Boolean).join(', '))}`
  return (
    <ul className="flex flex-col gap-4">
      <Fact leaf={<DayLeaf date={event.startDate} />}>
        <p className="text-lg font-semibold">{formatDateRange(event.startDate, event.endDate)}</p>
        {times && <p className="text-muted">{times}</p>}
        <CalendarMenu event={event} asOf={asOf} />
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
      <Who found={beacons} />
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

function BecomeBeacon({ event, open, isOwn }: { event: PublicEvent; open: boolean; isOwn: boolean }) {
  return (
    <Card as="section" tone="signal" aria-labelledby="incentives">
      <h2 id="incentives" className="flex items-center gap-2.5 text-xl">
        <Gift className="size-6 text-signal" />
        Beacon Incentives
      </h2>
      <p className="mt-3 whitespace-pre-line">{event.beaconIncentives}</p>
      <div className="mt-5">
        {open ? (
          <ButtonLink to={paths.apply(event.id)} size="large" wide variant={isOwn ? 'secondary' : 'primary'}>
            Apply to be a Beacon
          </ButtonLink>
        ) : (
          <p className="flex items-start gap-2.5 font-medium">
            <Clock className="mt-0.5 size-5 shrink-0 text-muted" />
            {applicationsClosedMessage}
          </p>
        )}
      </div>
    </Card>
  )
}

function Beacons({ event, open, found }: { event: PublicEvent; open: boolean; found: FoundBeacons }) {
  const { answer: beacons, failure, ask } = found
  const count = beacons?.length ?? 0
  const isMissing = failure?.kind === 'missing'
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
      {beacons && count > 0 && (
        <ul className="gap-4 sm:columns-2 [&>li]:mb-4 [&>li]:break-inside-avoid">
          {beacons.map((beacon) => (
            <BeaconCard key={beacon.id} beacon={beacon} />
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

const sharedOf = ({ id, name }: PublicEvent) => ({ title: name, path: paths.event(id) })

function OwnerBar({ event }: { event: PublicEvent }) {
  const quiet = { variant: 'ghost', size: 'small', className: 'px-2.5' } as const
  return (
    <nav
      aria-label="Your event"
      className="no-print mb-6 flex items-center justify-end rounded-box bg-quiet-soft py-1 pr-1 pl-4"
    >
      <span aria-hidden="true" className="mr-auto text-sm text-muted max-[22rem]:hidden">
        Your event
      </span>
      <ButtonLink {...quiet} to={paths.manageEvent(event.id)}>
        Manage
      </ButtonLink>
      <ButtonLink {...quiet} to={paths.editEvent(event.id)}>
        Edit
      </ButtonLink>
      <ShareButton shared={sharedOf(event)} />
    </nav>
  )
}

function Detail({ event, asOf, stale, reload }: ShownEvent) {
  const now = useNow()
  const open = applicationsAreOpen(event, now)
  usePageTitle(event.name)
  const beacons = useBeacons(event.id)
  const isOwn = useSession().user?.id === event.organizerId
  return (
    <Page back={allEvents}>
      {isOwn && <OwnerBar event={event} />}
      <AsOf asOf={asOf} stale={stale} onReload={reload} />
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0">
          <EventCover event={event} className="mb-5 aspect-5/2 rounded-box lg:aspect-3/1" />
          {hasEnded(event, now) && <Badge>This event is over</Badge>}
          <h1 className="mt-2 text-3xl sm:text-4xl">{event.name}</h1>
          <div className="mt-2">
            <HostedBy event={event} />
          </div>
          <div className="mt-6">
            <Facts event={event} asOf={asOf} beacons={beacons} />
          </div>
          <div className="mt-5">
            <ShareRow shared={sharedOf(event)} short={isOwn} />
          </div>
        </div>
        <aside className="lg:sticky lg:top-24 lg:row-span-2 lg:self-start">
          <BecomeBeacon event={event} open={open} isOwn={isOwn} />
        </aside>
        <div className="min-w-0">
          <Section id="about" title="About this event">
            <p className="max-w-prose whitespace-pre-line">{event.description}</p>
          </Section>
          <Beacons event={event} open={open} found={beacons} />
        </div>
      </div>
    </Page>
  )
}

export const EventDetailScreen = () => <PublicEventPage shown={Detail} />
