import type { Knex } from 'knex'
import type { QuietHours } from '#shared/alerts/quiet-hours.ts'
import type { PushSubscriptionRow } from '../db/tables.ts'
import type { AcceptedSubscription } from './accepted-subscription.ts'

/** More devices than anyone has; the oldest make room. */
const mostPerUser = 20

interface NewPushSubscription extends AcceptedSubscription {
  readonly userId: number
  /** The session it is to end with. */
  readonly sessionHash: string | null
  readonly deviceId: string
  readonly deviceName: string | null
  /** Where the device is now (IANA name); null when it does not say. */
  readonly timeZone: string | null
}

/**
 * Stores where to alert a device. An endpoint belongs to one browser, so it follows whoever is signed in there last,
 * and a device has one endpoint. Quiet hours stay with the device, also under another endpoint or in another time zone, and
 * never come to another person. Not for a session that has been ended meanwhile.
 */
export async function savePushSubscription(trx: Knex, given: NewPushSubscription): Promise<'saved' | 'session-ended'> {
  if (given.sessionHash !== null && !(await keepSession(trx, given.sessionHash))) return 'session-ended'
  const before = await trx('push_subscriptions')
    .where({ user_id: given.userId })
    .andWhere((either) => void either.where({ device_id: given.deviceId }).orWhere({ endpoint: given.endpoint }))
    .orderBy('id', 'desc')
  const quiet = before.map(quietHoursOf).find((hours) => hours !== null) ?? null
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
      ...columnsOf(quiet && { ...quiet, timeZone: given.timeZone ?? quiet.timeZone }),
    })
    .onConflict('endpoint')
    .merge([
      'user_id',
      'session_id_hash',
      'device_id',
      'device_name',
      'p256dh',
      'auth',
      'quiet_from',
      'quiet_to',
      'quiet_zone',
    ])
  const surplus = trx('push_subscriptions')
    .where({ user_id: given.userId })
    .orderBy('id', 'desc')
    .offset(mostPerUser)
    .select('id')
  await trx('push_subscriptions').whereIn('id', surplus).del()
  return 'saved'
}

/** When a device is left alone; null for never. */
export function quietHoursOf(
  row: Pick<PushSubscriptionRow, 'quiet_from' | 'quiet_to' | 'quiet_zone'>,
): QuietHours | null {
  const { quiet_from: from, quiet_to: to, quiet_zone: timeZone } = row
  return from === null || to === null || timeZone === null ? null : { from, to, timeZone }
}

const columnsOf = (hours: QuietHours | null) => ({
  quiet_from: hours?.from ?? null,
  quiet_to: hours?.to ?? null,
  quiet_zone: hours?.timeZone ?? null,
})

/** Undefined when the user has no such subscription. */
export async function setQuietHoursOf(
  trx: Knex,
  userId: number,
  id: number,
  hours: QuietHours | null,
): Promise<PushSubscriptionRow | undefined> {
  const [row] = await trx('push_subscriptions').where({ id, user_id: userId }).update(columnsOf(hours)).returning('*')
  return row
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

/** As `listPushSubscriptions`, and nobody else changes them or counts on them until the transaction ends. */
export async function lockPushSubscriptions(trx: Knex, userId: number): Promise<PushSubscriptionRow[]> {
  return await trx('push_subscriptions').where({ user_id: userId }).orderBy('id').forUpdate()
}

export async function findPushSubscriptionOf(
  db: Knex,
  userId: number,
  endpoint: string,
): Promise<PushSubscriptionRow | undefined> {
  return await db('push_subscriptions').where({ user_id: userId, endpoint }).first()
}

/** Answers whether the user had it. */
export async function removePushSubscriptionById(db: Knex, userId: number, id: number): Promise<boolean> {
  return (await db('push_subscriptions').where({ id, user_id: userId }).del()) > 0
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
