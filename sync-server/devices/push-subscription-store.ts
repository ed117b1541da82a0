import type { Knex } from 'knex'
import type { PushSubscriptionRow } from '../db/tables.ts'

/** More devices than anyone has; the oldest make room. */
const mostPerUser = 20

interface NewPushSubscription {
  readonly userId: number
  /** The session it is to end with. */
  readonly sessionHash: string | null
  readonly deviceId: string
  readonly deviceName: string | null
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

/**
 * Stores where to alert a device. An endpoint belongs to one browser, so it follows whoever is signed in there last,
 * and a device has one endpoint. Not for a session that has been ended meanwhile.
 */
export async function savePushSubscription(trx: Knex, given: NewPushSubscription): Promise<'saved' | 'session-ended'> {
  if (given.sessionHash !== null && !(await keepSession(trx, given.sessionHash))) return 'session-ended'
  await trx('push_subscriptions')
    .where({ user_id: given.userId, device_id: given.deviceId })
    .whereNot({ endpoint: given.endpoint })
    .del()
  await trx('push_subscriptions')
    .insert({
      user_id: given.userId,
      session_id_hash: given.sessionHash,
      device_id: given.deviceId,
      device_name: given.deviceName,
      endpoint: given.endpoint,
      p256dh: given.p256dh,
      auth: given.auth,
    })
    .onConflict('endpoint')
    .merge(['user_id', 'session_id_hash', 'device_id', 'device_name', 'p256dh', 'auth'])
  const surplus = trx('push_subscriptions')
    .where({ user_id: given.userId })
    .orderBy('id', 'desc')
    .offset(mostPerUser)
    .select('id')
  await trx('push_subscriptions').whereIn('id', surplus).del()
  return 'saved'
}

/** Whoever ends the session waits for this transaction, and then takes what it stored along. Answers whether it lasts. */
async function keepSession(trx: Knex, sessionHash: string): Promise<boolean> {
  const session = await trx('sessions')
    .where({ id_hash: sessionHash })
    .whereNull('revoked_at')
    .forShare()
    .first('id_hash')
  return session !== undefined
}

export async function findPushSubscription(db: Knex, id: number): Promise<PushSubscriptionRow | undefined> {
  return await db('push_subscriptions').where({ id }).first()
}

export async function listPushSubscriptions(db: Knex, userId: number): Promise<PushSubscriptionRow[]> {
  return await db('push_subscriptions').where({ user_id: userId }).orderBy('id')
}

/** Only the caller's own: knowing somebody's endpoint does not silence them. */
export async function removePushSubscription(db: Knex, userId: number, endpoint: string): Promise<void> {
  await db('push_subscriptions').where({ user_id: userId, endpoint }).del()
}

export async function removePushSubscriptionsOfDevice(db: Knex, userId: number, deviceId: string): Promise<void> {
  await db('push_subscriptions').where({ user_id: userId, device_id: deviceId }).del()
}

/** The push service has forgotten this endpoint. */
export async function dropPushSubscription(db: Knex, id: number): Promise<void> {
  await db('push_subscriptions').where({ id }).del()
}

export async function noteDelivered(db: Knex, id: number, now: Date): Promise<void> {
  await db('push_subscriptions').where({ id }).update({ last_success_at: now, failure_count: 0 })
}

export async function noteFailure(db: Knex, id: number): Promise<void> {
  await db('push_subscriptions').where({ id }).increment('failure_count', 1)
}
