import { hasEnded, type EventDays } from '../time/event-time.ts'
import { distanceMiles, isWithinMiles, type Coordinates } from '../places/zip-table.ts'

/** The specification has these choices (section 9). */
export const radiusChoicesMiles = [10, 25, 50, 100, 250] as const
/** The specification has this default (section 9). */
export const defaultRadiusMiles = 50

interface MaybePlaced {
  readonly latitude: number | null
  readonly longitude: number | null
}

/** Returns null for an event without a known ZIP code. */
export function milesTo(event: MaybePlaced, from: Coordinates): number | null {
  const { latitude, longitude } = event
  return latitude === null || longitude === null ? null : distanceMiles(from, { latitude, longitude })
}

/**
 * Includes the edge, keeps the given order, and leaves out events that have no place. Server and phone share it, so
 * that both find the same.
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

/** Judges by each place's clock; '' means all states. */
export function upcomingIn<E extends EventDays & { readonly state: string | null }>(
  events: readonly E[],
  state: string,
  now: Date,
): readonly E[] {
  return events.filter((event) => !hasEnded(event, now) && (state === '' || event.state === state))
}
