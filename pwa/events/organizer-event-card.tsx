import { formatDateRange } from '#shared/time/date-range.ts'
import type { EventRow } from '../replica/view/rows.ts'
import { paths } from '../paths.ts'
import { Badge } from '../ui/badge.tsx'
import { Card, CardLink } from '../ui/card.tsx'
import { Glyph, SyncMark } from '../ui/status-mark.tsx'
import { DayLeaf } from './day-leaf.tsx'

/** One of the organizer's events: how many wait comes first; the whole card leads to managing it. */
export function OrganizerEventCard({ row }: { row: EventRow }) {
  const { event, counts, mark } = row
  const place = event.city && event.state ? `${event.city}, ${event.state}` : null
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
            {formatDateRange(event.startDate, event.endDate)} · {event.location}
            {place && ` · ${place}`}
          </p>
          <p className="mt-3 flex flex-wrap items-center gap-2">
            {counts.pending > 0 && (
              <Badge tone="signal" icon={<Glyph of="pending" />}>
                {counts.pending} pending {counts.pending === 1 ? 'approval' : 'approvals'}
              </Badge>
            )}
            <Badge tone={counts.approved > 0 ? 'success' : 'quiet'} icon={<Glyph of="approved" />}>
              {counts.approved} approved {counts.approved === 1 ? 'Beacon' : 'Beacons'}
            </Badge>
          </p>
          {mark !== 'confirmed' && (
            <p className="mt-2">
              <SyncMark state={mark} />
            </p>
          )}
        </div>
      </div>
    </Card>
  )
}
