import { wordFinder } from '#shared/text/matching.ts'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { eventsWithin, milesTo, upcomingIn } from '#shared/events/event-search.ts'
import { keyOf, type EventFilters } from './served-search.ts'
import { questions } from '../../sync/index.ts'
import { type ZipCentre } from './zip-codes.ts'

interface FoundEvent {
  readonly event: PublicEvent
  /** Counts from the ZIP code; it is null without one, and for an event without a place. */
  readonly miles: number | null
}

/** `zip-codes-missing`: the server is silent, and this device does not know ZIP codes. */
export type Found =
  | { readonly status: 'loading' | 'unreachable' | 'zip-codes-missing' }
  | {
      readonly status: 'ready'
      readonly events: readonly FoundEvent[]
      /** Counts those that match but have no known distance. */
      readonly unplaced: number
      readonly unknownZip: boolean
      /** It is true if there may be others that were not looked through. */
      readonly mayBeMore: boolean
      /** Counts the events of this device where a text was looked for in these alone, although there are others. */
      readonly searchedHere: number | null
      readonly asOf: string
      readonly stale: boolean
    }

type KnownEvents = questions.QueryState<readonly PublicEvent[]>

/**
 * What was served for this search comes first, then this device's list. Text is always searched here, too
 * (specification, section 2).
 */
export function findEvents(
  { list, served, zip }: { readonly list: KnownEvents; readonly served: KnownEvents; readonly zip: ZipCentre },
  filters: EventFilters,
  text: string,
  now: Date,
): Found {
  const answered = served.failure === null ? served.answer : null
  // The answer may have been kept while an event ended.
  const there = answered && upcomingIn(answered, filters.state, now)
  const here = list.answer && upcomingIn(list.answer, filters.state, now)
  const events = there ?? (here && nearby(here, filters, zip))
  const asOf = answered ? served.asOf : list.asOf
  if (!events || asOf === null) {
    const mayBeServed = keyOf(filters) !== '' && served.failure === null
    const isListLoading = list.answer === null && list.failure === null
    if (mayBeServed || isListLoading || (here && zip.state === 'looking')) return { status: 'loading' }
    return { status: here ? 'zip-codes-missing' : 'unreachable' }
  }
  const centre = zip.state === 'known' ? zip.centre : null
  const stale = !answered && (list.failure !== null || served.failure !== null)
  const isPart = list.answer !== null && questions.isCut(list.answer)
  return {
    status: 'ready',
    events: filterByText(events, text).map((event) => ({ event, miles: centre && milesTo(event, centre) })),
    unplaced: centre ? filterByText(here ?? [], text).filter(({ latitude }) => latitude === null).length : 0,
    unknownZip: zip.state === 'unknown',
    mayBeMore: questions.isCut(answered ?? list.answer ?? []),
    searchedHere: stale && isPart && text.trim() !== '' ? list.answer.length : null,
    asOf,
    stale,
  }
}

/** Finds nothing for an unknown ZIP code, as the server does. It is null while the distance is unknown. */
function nearby(
  events: readonly PublicEvent[],
  { radiusMiles }: EventFilters,
  zip: ZipCentre,
): readonly PublicEvent[] | null {
  if (zip.state === 'none') return events
  if (zip.state === 'unknown') return []
  return zip.state === 'known' ? eventsWithin(events, zip.centre, radiusMiles) : null
}

/**
 * Looks in name, location, description and city for every word, whatever its case and accents (specification, section
 * 2).
 */
export function filterByText<E extends Pick<PublicEvent, 'name' | 'location' | 'description' | 'city'>>(
  events: readonly E[],
  text: string,
): readonly E[] {
  const isFound = wordFinder(text)
  return events.filter(({ name, location, description, city }) => isFound(name, location, description, city))
}
