/** From the least to the most: a role may do what the roles before it may. */
export const roles = ['door', 'reviewer', 'manager'] as const
export type Role = (typeof roles)[number]

export const includesRole = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)

export const roleNames: Readonly<Record<Role, string>> = {
  door: 'Door',
  reviewer: 'Reviewer',
  manager: 'Manager',
}

/** The invited person reads these, and the organizer who chooses. */
export const roleDescriptions: Readonly<Record<Role, string>> = {
  door: 'See the names, companies and posts of approved Beacons. Mark who is here, add walk-ins and give posts.',
  reviewer: 'Read applications in full, decide, take notes and write to Beacons.',
  manager: 'Everything except paying, choosing the team and deleting events.',
}

export const invitationDays = 7

/** Limits the members and open invitations of one organizer. */
export const maxTeamSize = 30
