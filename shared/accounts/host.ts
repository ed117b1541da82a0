import { outgoingName } from '../text/outgoing-name.ts'

/** Guests and applicants know an organizer by this. */
export interface Host {
  readonly name: string
  /** The organizer has confirmed that they read it; it is null where none is given. */
  readonly contactEmail: string | null
}

interface Named {
  readonly organizationName: string | null
  readonly username: string
}

/** Prefers the organization to the username. Both are shown without addresses, and the name is never empty. */
export function hostName({ organizationName, username }: Named): string {
  return outgoingName(organizationName ?? '') || outgoingName(username) || 'an organizer'
}
