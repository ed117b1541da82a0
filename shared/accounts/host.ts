import { outgoingName } from '../text/outgoing-name.ts'

/** How guests and applicants know an organizer. */
export interface Host {
  readonly name: string
  /** Confirmed to be read by the organizer; null where none is given. */
  readonly contactEmail: string | null
}

interface Named {
  readonly organizationName: string | null
  readonly username: string
}

/** The organization, else the username, both without addresses; never empty. */
export function hostName({ organizationName, username }: Named): string {
  return outgoingName(organizationName ?? '') || outgoingName(username) || 'an organizer'
}
