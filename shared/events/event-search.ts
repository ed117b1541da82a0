import { isUpcoming } from '../time/event-time.ts'
import { distanceMiles, isWithinMiles, type Coordinates } from '../places/zip-table.ts'

/** Specification, section 9. */
export const radiusChoicesMiles = [10, 25, 50, 100, 250] as const
/** Specification, section 9. */
export const defaultRadiusMiles = 50

interface MaybePlaced {
  readonly latitude: number | null
  readonly longitude: number | null
}

/** Null for an event without a known ZIP code. */
export function milesTo(event: MaybePlaced, from: Coordinates): number | null {
  const { latitude, longitude } = event
  return latitude === null || longitude === null ? null : distanceMiles(from, { latitude, longitude })
}

/**
 * Edge included, in the given order, without events that have no place. Shared, so that server and phone find the same.
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

/** By each place's clock; '' for all states. */
export function upcomingIn<
  E extends { readonly endDate: string; readonly timeZone: string; readonly state: string | null },
>(events: readonly E[], state: string, now: Date): readonly E[] {
  return events.filter((event) => isUpcoming(event, now) && (state === '' || event.state === state))
}
