import type { Knex } from 'knex'

/** A session that has neither ended nor run out, and whether its device is alerted. */
export interface OpenSession {
  readonly id: number
  readonly id_hash: string
  readonly device_name: string | null
  readonly created_at: Date
  readonly last_seen_at: Date
  readonly alerts: boolean
}

/** Where a user is signed in now, the session seen last first. */
export async function listOpenSessions(db: Knex, userId: number, now: Date): Promise<OpenSession[]> {
  return (await db('sessions')
    .where({ user_id: userId, revoked_at: null })
    .where('expires_at', '>', now)
    .where('absolute_expires_at', '>', now)
    .orderBy([
      { column: 'last_seen_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .select(
      'id',
      'id_hash',
      'device_name',
      'created_at',
      'last_seen_at',
      db.raw('exists (select from push_subscriptions p where p.session_id_hash = sessions.id_hash) as alerts'),
    )) as OpenSession[]
}

/** The hash of one of a user's sessions, ended or not; undefined when it is nobody's or somebody else's. */
export async function findSessionHash(db: Knex, userId: number, id: number): Promise<string | undefined> {
  return (await db('sessions').where({ id, user_id: userId }).first('id_hash'))?.id_hash
}

/** Names the device of a session, in the session and where it is alerted. */
export async function nameSessionDevice(trx: Knex, idHash: string, name: string): Promise<void> {
  await trx('sessions').where({ id_hash: idHash }).update({ device_name: name })
  await trx('push_subscriptions').where({ session_id_hash: idHash }).update({ device_name: name })
}
