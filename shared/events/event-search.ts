import { isUpcoming } from '../time/event-time.ts'
import { distanceMiles, isWithinMiles, type Coordinates } from '../places/zip-table.ts'

/** The distances one can choose, in miles (specification, section 9). */
export const radiusChoicesMiles = [10, 25, 50, 100, 250] as const
/** The distance when a ZIP code comes without one (specification, section 9). */
export const defaultRadiusMiles = 50

interface MaybePlaced {
  readonly latitude: number | null
  readonly longitude: number | null
}

/** Miles from a place to an event; null for an event whose address has no ZIP code that is known. */
export function milesTo(event: MaybePlaced, from: Coordinates): number | null {
  const { latitude, longitude } = event
  return latitude === null || longitude === null ? null : distanceMiles(from, { latitude, longitude })
}

/**
 * The events within a radius, its edge included, in the order they came. Events without a place are left out.
 * The server and the phone search with this one function, so that both find the same.
 */
export function eventsWithin<E extends MaybePlaced>(
  events: readonly E[],
  centre: Coordinates,
  radiusMiles: number,
): readonly E[] {
  return events.filter(
    ({ latitude, longitude }) =>
      latitude !== null && longitude !== null && isWithinMiles(centre, { latitude, longitude }, radiusMiles),
  )
}

/** What the server's list holds of the events a device knows: upcoming by the clock of each place, of one state or, for '', of all. */
export function upcomingIn<
  E extends { readonly endDate: string; readonly timeZone: string; readonly state: string | null },
>(events: readonly E[], state: string, now: Date): readonly E[] {
  return events.filter((event) => isUpcoming(event, now) && (state === '' || event.state === state))
}

/** Orders as the server does: by the first day, then by name without regard to case, then by number. */
export function byStart(
  one: { readonly startDate: string; readonly name: string; readonly id: number },
  other: { readonly startDate: string; readonly name: string; readonly id: number },
): number {
  return (
    compare(one.startDate, other.startDate) ||
    compare(one.name.toLowerCase(), other.name.toLowerCase()) ||
    one.id - other.id
  )
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
