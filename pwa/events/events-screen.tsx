import type { Found } from './search/find-events.ts'
import { describeFound, describeMore } from './search/found-words.ts'
import { FoundWeeks, weekLayout, weekTitle } from './search/found-weeks.tsx'
import { noFilters } from './search/served-search.ts'
import { useEventSearch, useSearch, type SearchControl } from './search/use-search.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { TitledPage } from '../ui/page/titled-page.tsx'
import { Skeleton, SkeletonLine } from '../ui/loading.tsx'
import { AsOf } from '../ui/page/as-of.tsx'
import { ClearFilters, EventFilters } from './search/event-filters.tsx'
import { useNow } from '../ui/page/use-now.ts'

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
  const isSeen =
    found.status === 'ready' && (found.events.length > 0 || found.unplaced > 0 || found.searchedHere !== null)
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

interface ResultsProps {
  found: Found
  control: SearchControl
  now: Date
  onReload: () => void
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
        <FoundWeeks events={events} now={now}>
          {mayBeMore && <p className="mt-6 text-muted">{describeMore(found)}</p>}
        </FoundWeeks>
      ) : (
        <NothingFound control={control} unknownZip={unknownZip} />
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
