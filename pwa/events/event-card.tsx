import { memo } from 'react'
import { ArrowRight, Gift, MapPin, Users } from 'lucide-react'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { mayBeArchived } from '#shared/applications/archive.ts'
import { isOnNow, todayIn } from '#shared/time/event-time.ts'
import { formatTimes, formatDate, formatEventDays } from '#shared/time/date-range.ts'
import { paths } from '../paths.ts'
import { useNow } from '../ui/page/use-now.ts'
import { serverNow, type EventRow } from '../sync/index.ts'
import { Badge } from '../ui/badge.tsx'
import { Card, CardLink } from '../ui/card.tsx'
import { EventCover } from '../applications/event-cover.tsx'
import { visibilityWords } from './manage/visibility-words.ts'
import { Glyph, SyncLabel } from '../ui/status-badge.tsx'

/** Writes 'Austin, Texas' (specification, section 2), and a city alone for Washington, DC. */
export function cityAndState(event: Pick<PublicEvent, 'city' | 'state'>): string | null {
  return event.city && event.state ? `${event.city}, ${event.state}` : event.city
}

const longestShown = 160

function formatMiles(miles: number): string {
  const rounded = Math.round(miles)
  if (rounded < 1) return 'Less than a mile away'
  return rounded === 1 ? '1 mile away' : `${rounded} miles away`
}

/** Is drawn again only when it changes: hundreds of others stay as they are while a search is typed. */
export const EventCard = memo(function EventCard({ event, miles }: { event: PublicEvent; miles: number | null }) {
  const place = cityAndState(event)
  const times = formatTimes(event)
  return (
    <Card as="li" padding="none" className="transition-colors duration-150 hover:border-edge [&>:first-child]:md:flex">
      <EventCover
        event={event}
        className="aspect-3/1 rounded-t-box md:aspect-auto md:w-72 md:shrink-0 md:rounded-l-box md:rounded-tr-none"
      />
      <div className="flex min-w-0 flex-1 flex-col gap-3 p-4 pb-2 md:pb-3">
        <div className="flex gap-4">
          <DayLeaf date={event.startDate} />
          <div className="min-w-0 flex-1">
            <h3 className="text-xl">{event.name}</h3>
            <OnNow event={event} />
            <p className="mt-1">
              {formatEventDays(event)}
              {times && (
                <span className="text-muted max-sm:block max-sm:text-sm">
                  <span className="max-sm:hidden"> · </span>
                  {times}
                </span>
              )}
            </p>
            <p className="mt-2">
              {event.location}
              {place && <span className="block text-sm text-muted">{place}</span>}
            </p>
          </div>
        </div>
        <div className="mt-auto flex flex-wrap items-center justify-end gap-x-4">
          <Offer event={event} />
          {miles !== null && (
            <span className="mr-auto inline-flex items-center gap-1.5 text-sm text-muted">
              <MapPin className="size-4" />
              {formatMiles(miles)}
            </span>
          )}
          <CardLink
            to={paths.event(event.id)}
            aria-label={`View Details: ${event.name}`}
            className="inline-flex min-h-11 items-center gap-1.5 font-semibold"
          >
            View Details
            <ArrowRight className="size-4 text-signal" />
          </CardLink>
        </div>
      </div>
    </Card>
  )
})

export function OnNow({ event }: { event: PublicEvent }) {
  const now = useNow()
  if (event.cancelledAt !== undefined) return <Badge tone="error">Cancelled</Badge>
  return isOnNow(event, now) ? <Badge tone="signal">On now</Badge> : null
}

/** One line, however long the incentive is. */
function Offer({ event: { beaconCount, beaconIncentives } }: { event: PublicEvent }) {
  return (
    <p className="flex h-6 w-full min-w-0 items-center gap-1.5 text-sm md:w-auto md:flex-1">
      <span className="mr-1.5 inline-flex shrink-0 items-center gap-1.5 font-medium">
        <Users className="size-4 text-muted" />
        {beaconCount === 0 ? 'No Beacons yet' : `${beaconCount} ${beaconCount === 1 ? 'Beacon' : 'Beacons'}`}
      </span>
      <Gift className="size-4 shrink-0 text-signal" />
      <span className="truncate text-muted">{beaconIncentives.slice(0, longestShown)}</span>
    </p>
  )
}

/** Takes a date like '2026-03-01'. It is decoration, because the date is next to it in words. */
export function DayLeaf({ date }: { date: string }) {
  const [month = '', day = ''] = formatDate(date).split(/[ ,]+/)
  return (
    <span
      aria-hidden="true"
      className="flex w-14 shrink-0 flex-col self-start overflow-hidden rounded-xl border border-base-300 bg-base-100 text-center leading-none"
    >
      <span className="bg-hall py-1 text-xs font-semibold tracking-wide text-hall-signal uppercase">
        {month.slice(0, 3)}
      </span>
      <span className="py-2 text-xl font-semibold tabular-nums">{day}</span>
    </span>
  )
}

export function OrganizerEventCard({ row }: { row: EventRow }) {
  const { event, counts, syncState } = row
  const isCounted = !mayBeArchived(event, todayIn(event.timeZone, serverNow()))
  const place = cityAndState(event)
  return (
    <Card as="li" padding="tight" className="hover:border-edge">
      <div className="flex gap-4">
        <DayLeaf date={event.startDate} />
        <div className="min-w-0 flex-1">
          <h3 className="text-lg leading-snug">
            <CardLink to={paths.manageEvent(event.id)} aria-label={`Manage Event: ${event.name}`}>
              {event.name}
            </CardLink>
          </h3>
          <p className="mt-1 text-sm text-muted">
            {/* No line begins with a dot. */}
            {[formatEventDays(event), event.location, place].filter(Boolean).join('\u00A0· ')}
          </p>
          <p className="mt-3 flex flex-wrap items-center gap-2">
            {event.cancelledAt !== undefined && <Badge tone="error">Cancelled</Badge>}
            {event.visibility && <Badge>{visibilityWords[event.visibility]}</Badge>}
            {counts.pending > 0 && (
              <Badge tone="signal" icon={<Glyph of="pending" />}>
                {counts.pending} pending {counts.pending === 1 ? 'approval' : 'approvals'}
              </Badge>
            )}
            {isCounted && (
              <Badge tone={counts.approved > 0 ? 'success' : 'quiet'} icon={<Glyph of="approved" />}>
                {counts.approved} approved {counts.approved === 1 ? 'Beacon' : 'Beacons'}
              </Badge>
            )}
          </p>
          {event.takenDown && (
            <p className="mt-2 text-sm">
              <strong className="text-error">Taken down.</strong> {event.takenDown.reason}
            </p>
          )}
          {syncState !== 'confirmed' && (
            <p className="mt-2">
              <SyncLabel state={syncState} />
            </p>
          )}
        </div>
        <EventCover event={event} className="-my-4 -mr-4 w-36 shrink-0 rounded-r-box max-sm:hidden" />
      </div>
    </Card>
  )
}
