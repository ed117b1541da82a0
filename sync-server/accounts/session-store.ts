import type { Knex } from 'knex'
import type { SessionRow } from '../db/rows/account-rows.ts'

/** A session that has neither ended nor run out, and whether its device is alerted. */
export interface OpenSession extends Pick<SessionRow, 'id' | 'idHash' | 'deviceName' | 'createdAt' | 'lastSeenAt'> {
  readonly alerts: boolean
}

/** Where a user is signed in now, the session seen last first. */
export async function listOpenSessions(db: Knex, userId: number, now: Date): Promise<OpenSession[]> {
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

/** The hash of one of a user's sessions, ended or not; undefined when it is nobody's or somebody else's. */
export async function findSessionHash(db: Knex, userId: number, id: number): Promise<string | undefined> {
  return (await db('sessions').where({ id, userId }).first('idHash'))?.idHash
}

/** Names the device of a session, in the session and where it is alerted. */
export async function nameSessionDevice(trx: Knex, idHash: string, name: string): Promise<void> {
  await trx('sessions').where({ idHash }).update({ deviceName: name })
  await trx('push_subscriptions').where({ sessionIdHash: idHash }).update({ deviceName: name })
}
