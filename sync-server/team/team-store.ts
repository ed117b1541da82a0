import { createHash, randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import { hostName } from '#shared/accounts/host.ts'
import { invitationDays, type Role } from '#shared/contract/roles.ts'
import { sortedByNames } from '#shared/text/matching.ts'
import type { Membership, Team } from '#shared/team/team-calls.ts'
import type { TeamInvitationRow } from '../db/rows/account-rows.ts'
import { runPrepared } from '../db/prepared.ts'

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

/** It is undefined for a stranger, and while the organizer's account is closed. */
export async function findRole(db: Knex, organizerId: number, userId: number): Promise<Role | undefined> {
  const [row] = await runPrepared<{ role: Role }>(
    db,
    'find-role',
    `select t.role from team_members t join users u on u.id = t.organizer_id
     where t.organizer_id = ? and t.user_id = ? and u.closed_at is null`,
    [organizerId, userId],
  )
  return row?.role
}

/** Sorts by the organizer's name. */
export async function listMemberships(db: Knex, userId: number): Promise<Membership[]> {
  const rows = await db('team_members as t')
    .join('users as u', 'u.id', 't.organizerId')
    .where({ 't.userId': userId, 'u.closedAt': null })
    .orderBy('t.organizerId')
    .select('t.organizerId', 't.role', 'u.organizationName', 'u.username')
  const memberships = rows.map(({ organizerId, role, ...named }) => ({ organizerId, name: hostName(named), role }))
  return sortedByNames(memberships, ({ name }) => [name])
}

/** It is undefined for a closed account. */
export async function findOrganizerName(db: Knex, organizerId: number): Promise<string | undefined> {
  const named = await db('users').where({ id: organizerId, closedAt: null }).first('organizationName', 'username')
  return named && hostName(named)
}

export async function listMemberIds(db: Knex, organizerId: number): Promise<number[]> {
  return await db('team_members').where({ organizerId }).orderBy('userId').pluck('userId')
}

export async function findTeam(db: Knex, organizerId: number, now: Date): Promise<Team> {
  const members = await db('team_members as t')
    .join('users as u', 'u.id', 't.userId')
    .where({ 't.organizerId': organizerId })
    .orderBy(['t.joinedAt', 't.userId'])
    .select('t.userId', 't.role', 't.joinedAt', 'u.username')
  const invitations = await db('team_invitations')
    .where({ organizerId })
    .where('expiresAt', '>', now)
    .orderBy('id')
    .select('id', 'role', 'expiresAt')
  return {
    members: members.map(({ userId, username, role, joinedAt }) => ({
      id: userId,
      name: username,
      role,
      joinedAt: joinedAt.toISOString(),
    })),
    invitations: invitations.map(presentInvitation),
  }
}

export const presentInvitation = ({ id, role, expiresAt }: Pick<TeamInvitationRow, 'id' | 'role' | 'expiresAt'>) => ({
  id,
  role,
  expiresAt: expiresAt.toISOString(),
})

/** The token is in the answer alone: the database knows its hash. */
export async function insertInvitation(trx: Knex, organizerId: number, role: Role, now: Date) {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + invitationDays * 86_400_000)
  const [row] = await trx('team_invitations')
    .insert({ organizerId, role, tokenHash: hashOf(token), expiresAt })
    .returning(['id', 'role', 'expiresAt'])
  if (!row) throw new Error('An invitation was not written')
  return { ...presentInvitation(row), token }
}

/** Undefined for one that was used or withdrawn, or has expired. */
export async function findInvitation(db: Knex, token: string, now: Date): Promise<TeamInvitationRow | undefined> {
  return await db('team_invitations')
    .where({ tokenHash: hashOf(token) })
    .where('expiresAt', '>', now)
    .first()
}
