import type { Session } from '#shared/accounts/session-calls.ts'
import type { Room } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { revokeSessions } from '../http/session.ts'
import { findSessionHash, listOpenSessions, nameSessionDevice, type OpenSession } from './session-store.ts'
import { signedIn } from '../calls/signed-in.ts'

/** Where a person is signed in: for whoever has lost a phone. */
export const sessionHandlers: Room<'listSessions' | 'endSession' | 'endOtherSessions' | 'renameDevice'> = {
  listSessions: async (call) => {
    const open = await listOpenSessions(call.db, signedIn(call).userId, call.now)
    const sessions = open.map((row) => presentSession(row, row.idHash === call.sessionHash))
    return sessions.sort((one, other) => Number(other.current) - Number(one.current))
  },

  endSession: async (call) => {
    const idHash = await findSessionHash(call.db, signedIn(call).userId, call.params.id)
    if (idHash === undefined) throw new ProblemError('not_found', 'You have no such session.')
    await revokeSessions(call.db, { idHash }, call.now)
    if (idHash === call.sessionHash) await call.session.signOut()
    return undefined
  },

  endOtherSessions: async (call) => {
    await revokeSessions(call.db, { userId: signedIn(call).userId, except: call.sessionHash }, call.now)
    return undefined
  },

  renameDevice: async (call) => {
    signedIn(call)
    if (call.sessionHash !== null) await nameSessionDevice(call.db, call.sessionHash, call.body.name)
    return undefined
  },
}

function presentSession(row: OpenSession, current: boolean): Session {
  return {
    id: row.id,
    deviceName: row.deviceName || null,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    current,
    alerts: row.alerts,
  }
}
