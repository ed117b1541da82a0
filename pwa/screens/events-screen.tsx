import { useDeferredValue, useMemo, useState } from 'react'
import { filterByText } from '../browse/text-filter.ts'
import { usePublicEvents } from '../browse/use-public-events.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { AsOf } from './as-of.tsx'
import { EventCard } from './event-card.tsx'
import { usePageTitle } from './page-title.ts'

function CallToAction() {
  return (
    <section
      aria-labelledby="organize"
      className="mt-14 flex flex-wrap items-center justify-between gap-x-8 gap-y-5 border-t border-base-300 pt-10"
    >
      <div className="min-w-0 flex-[1_1_20rem]">
        <h2 id="organize" className="text-2xl">
          Organizing an event?
        </h2>
        <p className="mt-1.5 text-muted">Publish it here and let Beacons bring your guests together.</p>
      </div>
      <ButtonLink to="/auth" size="large">
        Get Started
      </ButtonLink>
    </section>
  )
}

/** Everything that is coming up, on this device first, filtered as one types. */
export function EventsScreen() {
  usePageTitle('Upcoming Events')
  const { status, value: events, asOf, stale, reload } = usePublicEvents()
  const [text, setText] = useState('')
  const searched = useDeferredValue(text)
  const found = useMemo(() => filterByText(events ?? [], searched), [events, searched])
  const isSearching = text.trim() !== ''

  return (
    <Page title="Upcoming Events">
      <div className="mb-5 max-w-xl">
        <SearchField
          label="Search events by name, place or topic"
          placeholder="Name, place or topic"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {status === 'loading' && <Skeleton shape="card" count={3} label="Loading events" />}
      {(status === 'unreachable' || status === 'missing') && (
        <EmptyState
          illustration="offline"
          title="Failed to fetch events"
          action={<Button onClick={reload}>Try Again</Button>}
        >
          Beaconry cannot be reached, and this device has not seen any events yet.
        </EmptyState>
      )}
      {status === 'ready' && (
        <>
          <AsOf asOf={asOf} stale={stale} onReload={reload} />
          <output className="sr-only">
            {isSearching ? `${found.length} ${found.length === 1 ? 'event' : 'events'} found` : ''}
          </output>
          {found.length > 0 ? (
            <ul className="grid gap-4 md:grid-cols-2 lg:gap-5">
              {found.map((event) => (
                <EventCard key={event.id} event={event} />
              ))}
            </ul>
          ) : (
            <EmptyState
              illustration="hall"
              title="No events found"
              action={isSearching && <Button onClick={() => setText('')}>Clear Search</Button>}
            >
              {isSearching ? 'No events match your search criteria.' : 'There are no upcoming events at the moment.'}
            </EmptyState>
          )}
        </>
      )}
      <CallToAction />
    </Page>
  )
}
