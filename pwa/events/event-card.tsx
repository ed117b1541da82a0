import { ArrowRight, MapPin } from 'lucide-react'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { formatDateRange, formatTimes } from '#shared/time/date-range.ts'
import { paths } from '../paths.ts'
import { Card, CardLink } from '../ui/card.tsx'
import { DayLeaf } from './day-leaf.tsx'

/** 'Austin, Texas' when both exist (specification, section 2); a city alone as well, for Washington, DC lies in no state. */
export function cityAndState(event: Pick<PublicEvent, 'city' | 'state'>): string | null {
  return event.city && event.state ? `${event.city}, ${event.state}` : event.city
}

/** '12 miles away', to the mile. */
function formatMiles(miles: number): string {
  const rounded = Math.round(miles)
  if (rounded < 1) return 'Less than a mile away'
  return rounded === 1 ? '1 mile away' : `${rounded} miles away`
}

/** One event of the public list: its day first, then where and how far away, with the way to its page. */
export function EventCard({ event, miles }: { event: PublicEvent; miles: number | null }) {
  const place = cityAndState(event)
  const times = formatTimes(event)
  return (
    <Card
      as="li"
      padding="tight"
      className="flex flex-col transition-colors duration-150 hover:border-edge [&>:first-child]:flex-1"
    >
      <div className="flex h-full flex-col gap-2">
        <div className="flex gap-4">
          <DayLeaf date={event.startDate} />
          <div className="min-w-0 flex-1">
            <h2 className="text-xl">{event.name}</h2>
            <p className="mt-1">
              {formatDateRange(event.startDate, event.endDate)}
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
        <p className="mt-auto flex flex-wrap items-center justify-end gap-x-4">
          {miles !== null && (
            <span className="mr-auto inline-flex items-center gap-1.5 text-sm text-muted">
              <MapPin aria-hidden="true" className="size-4" />
              {formatMiles(miles)}
            </span>
          )}
          <CardLink
            to={paths.event(event.id)}
            aria-label={`View Details: ${event.name}`}
            className="inline-flex min-h-11 items-center gap-1.5 font-semibold"
          >
            View Details
            <ArrowRight aria-hidden="true" className="size-4 text-signal" />
          </CardLink>
        </p>
      </div>
    </Card>
  )
}
