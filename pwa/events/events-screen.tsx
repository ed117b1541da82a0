import { useDeferredValue } from 'react'
import { todayIn } from '#shared/time/event-time.ts'
import { byWeek } from './search/event-weeks.ts'
import type { Found } from './search/find-events.ts'
import { noFilters, type Search } from './search/served-search.ts'
import { useEventSearch, useSearch, type SearchControl } from './search/use-search.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { TitledPage } from '../ui/page/titled-page.tsx'
import { Skeleton, SkeletonLine } from '../ui/loading.tsx'
import { AsOf } from '../ui/page/as-of.tsx'
import { EventCard } from './event-card.tsx'
import { ClearFilters, EventFilters } from './search/event-filters.tsx'
import { useNow } from '../ui/page/use-now.ts'

const readersZone = new Intl.DateTimeFormat().resolvedOptions().timeZone

const events = (count: number) => (count === 1 ? '1 event' : `${count} events`)

/** '3 events in Texas within 50 miles of 73301. 1 event without …' */
function describeFound(
  found: Extract<Found, { status: 'ready' }>,
  { state, zipCode, radiusMiles }: Search,
  text: string,
): string {
  const what = state === '' && zipCode === '' ? (text.trim() === '' ? ' coming up' : ' found') : ''
  const where = state === '' ? '' : ` in ${state}`
  const near = zipCode === '' ? '' : ` within ${radiusMiles} miles of ${zipCode}`
  const least = found.mayBeMore && found.events.length > 0 ? 'At least ' : ''
  const line = `${least}${events(found.events.length)}${what}${where}${near}`
  if (found.unplaced === 0) return line
  return `${line}. ${events(found.unplaced)} without a ZIP code ${found.unplaced === 1 ? 'is' : 'are'} left out.`
}

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

function NothingFound({ control, unknownZip }: { control: SearchControl; unknownZip: boolean }) {
  const { search, typed } = control
  const isFiltered = search.state !== '' || search.zipCode !== ''
  const isSearched = typed.text.trim() !== ''
  return (
    <EmptyState
      illustration="hall"
      title="No events found"
      action={
        (isSearched || isFiltered) && (
          <>
            {isSearched && <Button onClick={() => control.choose({ text: '' })}>Clear Search</Button>}
            {isFiltered && (
              <Button
                variant={isSearched ? 'secondary' : 'primary'}
                onClick={() => control.choose({ text: '', ...noFilters })}
              >
                Show All Events
              </Button>
            )}
          </>
        )
      }
    >
      {isSearched || isFiltered
        ? 'No events match your search criteria.'
        : 'There are no upcoming events at the moment.'}
      {unknownZip && (
        <span className="mt-1.5 block">
          {search.zipCode.length < 5
            ? 'A ZIP code has five digits.'
            : `We do not know the ZIP code ${search.zipCode}. Please check its digits.`}
        </span>
      )}
    </EmptyState>
  )
}

/** Is hidden visually where the empty list says it itself. */
function FoundLine({ found, control }: { found: Found; control: SearchControl }) {
  const isSeen = found.status === 'ready' && (found.events.length > 0 || found.unplaced > 0)
  return (
    <output className={isSeen ? 'text-muted' : 'sr-only'}>
      {found.status === 'ready' && describeFound(found, control.search, control.typed.text)}
    </output>
  )
}

/** The second source's licence demands attribution. */
function Sources() {
  return (
    <p className="mt-6 text-sm text-muted">
      Distances are between the centers of ZIP codes, as the U.S. Census Bureau and{' '}
      <a className="underline underline-offset-2" href="https://www.geonames.org/" rel="noreferrer">
        GeoNames
      </a>{' '}
      (
      <a className="underline underline-offset-2" href="https://creativecommons.org/licenses/by/4.0/" rel="noreferrer">
        CC BY 4.0
      </a>
      , rounded) place them.
    </p>
  )
}

const weekLayout = 'mb-8 last:mb-0 lg:grid lg:grid-cols-[9.5rem_minmax(0,1fr)] lg:gap-x-6'
const weekTitle = 'mb-3 block self-start text-xl lg:sticky lg:top-24 lg:pt-4'

interface ResultsProps {
  found: Found
  control: SearchControl
  now: Date
  onReload: () => void
}

const drawnFirst = 12

/** The first cards at once; hundreds of others follow without making them wait. */
function FoundWeeks({ events, now }: { events: Extract<Found, { status: 'ready' }>['events']; now: Date }) {
  const drawn = useDeferredValue(events.length, drawnFirst)
  return (
    <>
      {byWeek(events.slice(0, drawn), ({ event }) => event.startDate, todayIn(readersZone, now)).map((week) => (
        <section key={week.title} className={weekLayout}>
          <h2 className={weekTitle}>{week.title}</h2>
          <ul className="flex flex-col gap-4">
            {week.events.map(({ event, miles }) => (
              <EventCard key={event.id} event={event} miles={miles} />
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

function Results({ found, control, now, onReload }: ResultsProps) {
  if (found.status === 'loading') {
    return (
      <div className={weekLayout}>
        <span className={weekTitle}>
          <SkeletonLine className="my-1 h-5 w-28" />
        </span>
        <Skeleton shape="event" count={6} label="Loading events" />
      </div>
    )
  }
  if (found.status !== 'ready') {
    return (
      <EmptyState
        illustration="offline"
        title="Failed to fetch events"
        action={<Button onClick={onReload}>Try Again</Button>}
      >
        {found.status === 'unreachable'
          ? 'Beaconry cannot be reached, and this device has not seen any events yet.'
          : 'Beaconry cannot be reached, and this device does not know yet where ZIP codes are. Without the ZIP code the search works.'}
      </EmptyState>
    )
  }
  const { events, unknownZip, mayBeMore } = found
  return (
    <>
      {events.length > 0 ? (
        <FoundWeeks events={events} now={now} />
      ) : (
        <NothingFound control={control} unknownZip={unknownZip} />
      )}
      {mayBeMore && events.length > 0 && (
        <p className="mt-6 text-muted">
          There may be more. Search for words, or choose a state or a ZIP code, to find the others.
        </p>
      )}
      {control.search.zipCode !== '' && !unknownZip && <Sources />}
    </>
  )
}

export function EventsScreen() {
  const control = useSearch()
  const { search, typed } = control
  const now = useNow()
  const { found, reload } = useEventSearch(search, typed.text, now)
  const count = found.status === 'ready' && !found.mayBeMore ? found.events.length : null
  return (
    <TitledPage title="Upcoming Events">
      <EventFilters
        control={control}
        showLabel={count === null ? 'Show Events' : `Show ${count} ${count === 1 ? 'Event' : 'Events'}`}
      />
      <div className="my-2 flex min-h-11 items-center justify-between gap-4">
        <FoundLine found={found} control={control} />
        <ClearFilters control={control} />
      </div>
      {found.status === 'ready' && <AsOf asOf={found.asOf} stale={found.stale} onReload={reload} />}
      <Results found={found} control={control} now={now} onReload={reload} />
      {/* Below a list that is still to come it would move into sight. */}
      {found.status !== 'loading' && <CallToAction />}
    </TitledPage>
  )
}
