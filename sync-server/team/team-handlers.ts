import { maxTeamSize } from '#shared/contract/roles.ts'
import type { Team } from '#shared/team/team-calls.ts'
import { signedIn } from '../calls/access.ts'
import type { HandlerCall, Handlers, Make } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { findInvitation, findOrganizerName, findTeam, insertInvitation, listMemberships } from './team-store.ts'

const invitationGone = () =>
  new ProblemError(
    'not_found',
    'This invitation was used or withdrawn, or it is older than seven days. Ask for a new one.',
  )

const memberGone = () => new ProblemError('not_found', 'This person is not on your team.')

async function ownTeam(call: HandlerCall<'getTeam' | 'setTeamRole' | 'removeFromTeam'>): Promise<Team> {
  return await findTeam(call.db, signedIn(call).userId, call.now)
}

const inviteToTeam: Make<'inviteToTeam'> = async (call) => {
  const { db, now, body } = call
  const { userId } = signedIn(call)
  // Two invitations made at once would both find the last place.
  await db('users').where({ id: userId }).forNoKeyUpdate().first('id')
  const { members, invitations } = await findTeam(db, userId, now)
  if (members.length + invitations.length >= maxTeamSize)
    throw new ProblemError('not_allowed_now', `A team has at most ${maxTeamSize} members and open invitations.`)
  return await insertInvitation(db, userId, body.role, now)
}

const withdrawInvitation: Make<'withdrawInvitation'> = async (call) => {
  const { userId } = signedIn(call)
  await call.db('team_invitations').where({ id: call.params.id, organizerId: userId }).del()
  return undefined
}

const readInvitation: Make<'readInvitation'> = async ({ db, body, now, spend, address }) => {
  await spend('account-link', address)
  const invitation = await findInvitation(db, body.token, now)
  const name = invitation ? await findOrganizerName(db, invitation.organizerId) : undefined
  if (!invitation || name === undefined) throw invitationGone()
  return { name, role: invitation.role, expiresAt: invitation.expiresAt.toISOString() }
}

/** The invitation is deleted with its use, so that of two people who open it at once one joins. */
const joinTeam: Make<'joinTeam'> = async (call) => {
  const { db, now, body } = call
  const { userId } = signedIn(call)
  const invitation = await findInvitation(db, body.token, now)
  if (!invitation) throw invitationGone()
  const { id, organizerId, role } = invitation
  if (organizerId === userId)
    throw new ProblemError('not_allowed_now', 'This is your own team. Send the link to the person you invite.')
  if ((await db('team_invitations').where({ id }).del()) === 0) throw invitationGone()
  await db('team_members')
    .insert({ organizerId, userId, role, joinedAt: now })
    .onConflict(['organizerId', 'userId'])
    .merge(['role'])
  call.touch({ what: 'account', id: userId })
  const joined = (await listMemberships(db, userId)).find((one) => one.organizerId === organizerId)
  if (!joined) throw invitationGone()
  return joined
}

const setTeamRole: Make<'setTeamRole'> = async (call) => {
  const { db, params, body } = call
  const { userId } = signedIn(call)
  const changed = await db('team_members').where({ organizerId: userId, userId: params.id }).update({ role: body.role })
  if (changed === 0) throw memberGone()
  call.touch({ what: 'account', id: params.id })
  return await ownTeam(call)
}

/** A member who is gone already is what was wished. */
const removeFromTeam: Make<'removeFromTeam'> = async (call) => {
  await endMembership(call, signedIn(call).userId, call.params.id)
  return await ownTeam(call)
}

const leaveTeam: Make<'leaveTeam'> = async (call) => {
  await endMembership(call, call.params.id, signedIn(call).userId)
  return undefined
}

async function endMembership(
  call: HandlerCall<'removeFromTeam' | 'leaveTeam'>,
  organizerId: number,
  userId: number,
): Promise<void> {
  const ended = await call.db('team_members').where({ organizerId, userId }).del()
  if (ended > 0) call.touch({ what: 'account', id: userId })
}

export const teamHandlers = {
  getTeam: ownTeam,
  inviteToTeam,
  withdrawInvitation,
  readInvitation,
  joinTeam,
  setTeamRole,
  removeFromTeam,
  leaveTeam,
} satisfies Partial<Handlers>
