import { actingNow } from '../../browser/acting.ts'
import { onRefusal, replicaState } from '../../sync/index.ts'
import { deviceDb } from '../device-tables.ts'
import { deleteLeftDrafts } from '../left-drafts.ts'
import { accountPrefix, actAs, hasOtherTabChosen, noteTeamLeft } from './acting.ts'
import { sessionState } from './session-state.ts'

let isLeaving = false

/** Follows what becomes of the membership that this page acts in. */
export function followTeam(): void {
  onRefusal((_, { problem }) => {
    if (problem.code === 'not_on_team') void leave()
  })
  replicaState.subscribe(look)
  addEventListener('storage', () => {
    const { user } = sessionState.get()
    if (user && hasOtherTabChosen(user.id)) location.reload()
  })
}

function look(): void {
  const acting = actingNow()
  const { account, userId } = replicaState.get()
  if (!acting || !account || userId === null || isLeaving) return
  const member = account.teams.find(({ organizerId }) => organizerId === acting.organizerId)
  if (!member) return void leave()
  if (member.role === acting.role && member.name === acting.name) return
  isLeaving = true
  actAs(userId, member, location.pathname)
}

/** The next page shows one's own events, and opening their copy deletes the organizer's. */
async function leave(): Promise<void> {
  const acting = actingNow()
  const { user } = sessionState.get()
  if (!acting || !user || isLeaving) return
  isLeaving = true
  const prefix = accountPrefix(user.id)
  deleteLeftDrafts(prefix)
  await Promise.allSettled([
    deviceDb.drafts.where('key').startsWith(prefix).delete(),
    deviceDb.settings.where('name').startsWith(prefix).delete(),
  ])
  noteTeamLeft(user.id, acting.name)
  actAs(user.id, null)
}
