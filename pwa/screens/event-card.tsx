import { CalendarDays, MapPin } from 'lucide-react'
import type { PublicEvent } from '#shared/api/events.ts'
import { formatDateRange, formatTimes } from '#shared/domain/date-range.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { DayLeaf } from './day-leaf.tsx'

/** 'Austin, Texas' when both exist; otherwise nothing (specification, section 2). */
export function cityAndState(event: Pick<PublicEvent, 'city' | 'state'>): string | null {
  return event.city && event.state ? `${event.city}, ${event.state}` : null
}

/** One event of the public list: its day first, then where, with the way to its page. */
export function EventCard({ event }: { event: PublicEvent }) {
  const place = cityAndState(event)
  const times = formatTimes(event)
  return (
    <Card as="li" padding="tight" className="flex flex-col [&>:first-child]:flex-1">
      <div className="flex h-full flex-col gap-4">
        <div className="flex gap-4">
          <DayLeaf date={event.startDate} />
          <div className="min-w-0 flex-1">
            <h2 className="text-xl">{event.name}</h2>
            <p className="mt-2 flex items-start gap-2 text-sm">
              <CalendarDays aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted" />
              <span>
                {formatDateRange(event.startDate, event.endDate)}
                {times && <span className="block text-muted">{times}</span>}
              </span>
            </p>
            <p className="mt-1.5 flex items-start gap-2 text-sm">
              <MapPin aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted" />
              <span>
                {event.location}
                {place && <span className="block text-muted">{place}</span>}
              </span>
            </p>
          </div>
        </div>
        <ButtonLink
          to={`/events/${event.id}`}
          variant="secondary"
          wide
          className="mt-auto"
          aria-label={`View Details: ${event.name}`}
        >
          View Details
        </ButtonLink>
      </div>
    </Card>
  )
}
