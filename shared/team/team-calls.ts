import * as z from 'zod'
import type { Section } from '../contract/route.ts'
import { roles } from '../contract/roles.ts'

const role = z.enum(roles)
const token = z.string().min(1).max(100)

/** Describes an account's place in another organizer's team. `name` is the organizer's, as on their events. */
export const membership = z.strictObject({ organizerId: z.int(), name: z.string(), role })
export type Membership = z.output<typeof membership>

const member = z.strictObject({ id: z.int(), name: z.string(), role, joinedAt: z.string() })
export type TeamMember = z.output<typeof member>

const invitation = z.strictObject({ id: z.int(), role, expiresAt: z.string() })
export type TeamInvitation = z.output<typeof invitation>

const team = z.strictObject({ members: z.array(member), invitations: z.array(invitation) })
export type Team = z.output<typeof team>

export const teamRoutes = {
  getTeam: { summary: 'Who helps the caller with their events, and open invitations', access: 'user', answer: team },
  inviteToTeam: {
    summary: 'Make an invitation: a link that works once, for seven days',
    access: 'user',
    body: z.strictObject({ role }),
    /** The token is in no other answer. */
    answer: invitation.extend({ token: z.string() }),
    status: 201,
  },
  withdrawInvitation: { summary: 'Make an open invitation worthless', access: 'user' },
  readInvitation: {
    summary: 'Who invites, and as what',
    access: 'anyone',
    body: z.strictObject({ token }),
    answer: invitation.pick({ role: true, expiresAt: true }).extend({ name: z.string() }),
    isUnaudited: true,
  },
  joinTeam: {
    summary: 'Accept an invitation; a member of the team gets its role',
    access: 'user',
    body: z.strictObject({ token }),
    answer: membership,
  },
  setTeamRole: { summary: 'Give a member another role', access: 'user', body: z.strictObject({ role }), answer: team },
  removeFromTeam: {
    summary: 'Remove a member: their devices lose the copy at their next contact',
    access: 'user',
    answer: team,
  },
  leaveTeam: { summary: "Leave another organizer's team", access: 'user' },
} as const satisfies Section
