import type { Membership } from '#shared/team/team-calls.ts'
import type { Entry } from '../sync/index.ts'

type Made = Pick<Entry, 'userId' | 'organizerId'>

/**
 * Names whose events a change is for.
 * @param shownOrganizer whose events the page shows; undefined for the person's own
 * @param teams the organizers whom the account helps
 * @returns undefined where the page shows the same organizer's events, and for what a visitor made
 */
export function forWhom(
  { userId, organizerId }: Made,
  shownOrganizer: number | undefined,
  teams: readonly Pick<Membership, 'organizerId' | 'name'>[],
): string | undefined {
  if (userId === null || organizerId === shownOrganizer) return undefined
  if (organizerId === undefined) return 'for your own events'
  return `for ${teams.find((team) => team.organizerId === organizerId)?.name ?? 'another organizer'}`
}
