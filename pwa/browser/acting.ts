import type { Role } from '#shared/contract/roles.ts'

/** Names another organizer's team, and what the signed-in person is on it. */
export interface Acting {
  readonly organizerId: number
  /** This is the organizer's name, as on their events. */
  readonly name: string
  readonly role: Role
}

let acting: Acting | null = null

/** Says whose events this page shows and changes. Another choice is another page. */
export function actFor(next: Acting | null): void {
  acting = next
}

/** It is null for the signed-in person's own events. */
export const actingNow = (): Acting | null => acting

/** It is undefined for one's own events. */
export const actingOrganizer = (): number | undefined => acting?.organizerId
