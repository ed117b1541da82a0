import type { Knex } from 'knex'
import type { Session } from '#shared/accounts/session-calls.ts'
import type { Handlers } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { revokeSessions } from '../http/session-cookies.ts'
import { signedIn } from '../calls/access.ts'
import { withTextDates } from '../db/column-names.ts'
import type { SessionRow } from '../db/rows/account-rows.ts'

interface OpenSession extends Pick<SessionRow, 'id' | 'idHash' | 'deviceName' | 'createdAt' | 'lastSeenAt'> {
  readonly alerts: boolean
}

async function listOpenSessions(db: Knex, userId: number, now: Date): Promise<OpenSession[]> {
  return (await db('sessions')
    .where({ userId, revokedAt: null })
    .where('expiresAt', '>', now)
    .where('absoluteExpiresAt', '>', now)
    .orderBy([
      { column: 'lastSeenAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .select(
      'id',
      'idHash',
      'deviceName',
      'createdAt',
      'lastSeenAt',
      db.raw('exists (select from push_subscriptions p where p.session_id_hash = sessions.id_hash) as alerts'),
    )) as OpenSession[]
}

/** Finds ended ones, too; it is undefined when the user has no such session. */
async function findSessionHash(db: Knex, userId: number, id: number): Promise<string | undefined> {
  return (await db('sessions').where({ id, userId }).first('idHash'))?.idHash
}

async function nameSessionDevice(trx: Knex, idHash: string, name: string): Promise<void> {
  await trx('sessions').where({ idHash }).update({ deviceName: name })
  await trx('push_subscriptions').where({ sessionIdHash: idHash }).update({ deviceName: name })
}

export const sessionHandlers = {
  listSessions: async (call) => {
    const open = await listOpenSessions(call.db, signedIn(call).userId, call.now)
    const sessions = open.map((row) => presentSession(row, call.sessionHash))
    return sessions.sort((one, other) => Number(other.current) - Number(one.current))
  },

  endSession: async (call) => {
    const idHash = await findSessionHash(call.db, signedIn(call).userId, call.params.id)
    if (idHash === undefined) throw new ProblemError('not_found', 'There is no such session.')
    await revokeSessions(call.db, { idHash }, call.now)
    if (idHash === call.sessionHash) call.wishSession('sign-out')
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
} satisfies Partial<Handlers>

function presentSession({ idHash, ...row }: OpenSession, sessionHash: string | null): Session {
  return { ...withTextDates(row), deviceName: row.deviceName || null, current: idHash === sessionHash }
}
