import type { Knex } from 'knex'
import type { QuietHours } from '#shared/alerts/quiet-hours.ts'
import type { PushSubscriptionRow } from '../db/rows/message-rows.ts'
import type { AcceptedSubscription } from './push-endpoints.ts'

/** The oldest devices make room. */
const mostPerUser = 20

interface NewPushSubscription extends AcceptedSubscription {
  readonly userId: number
  readonly sessionHash: string | null
  readonly deviceId: string
  readonly deviceName: string | null
  /** IANA name; null when the device does not say. */
  readonly timeZone: string | null
}

/**
 * An endpoint belongs to one browser, so it follows the user who signs in there last; a device has one endpoint. Quiet
 * hours stay with the device, also under another endpoint or zone, and never reach another person.
 */
export async function savePushSubscription(trx: Knex, given: NewPushSubscription): Promise<'saved' | 'session-ended'> {
  if (given.sessionHash !== null && !(await keepSession(trx, given.sessionHash))) return 'session-ended'
  const before = await trx('push_subscriptions')
    .where({ userId: given.userId })
    .andWhere((either) => void either.where({ deviceId: given.deviceId }).orWhere({ endpoint: given.endpoint }))
    .orderBy('id', 'desc')
  const quiet = before.map(quietHoursOf).find((hours) => hours !== null) ?? null
  await trx('push_subscriptions')
    .where({ userId: given.userId, deviceId: given.deviceId })
    .whereNot({ endpoint: given.endpoint })
    .del()
  await trx('push_subscriptions')
    .insert({
      userId: given.userId,
      sessionIdHash: given.sessionHash,
      deviceId: given.deviceId,
      deviceName: given.deviceName,
      endpoint: given.endpoint,
      p256dh: given.p256dh,
      auth: given.auth,
      ...columnsOf(quiet && { ...quiet, timeZone: given.timeZone ?? quiet.timeZone }),
    })
    .onConflict('endpoint')
    .merge(['userId', 'sessionIdHash', 'deviceId', 'deviceName', 'p256dh', 'auth', 'quietFrom', 'quietTo', 'quietZone'])
  const surplus = trx('push_subscriptions')
    .where({ userId: given.userId })
    .orderBy('id', 'desc')
    .offset(mostPerUser)
    .select('id')
  await trx('push_subscriptions').whereIn('id', surplus).del()
  return 'saved'
}

/** Null for never. */
export function quietHoursOf(row: Pick<PushSubscriptionRow, 'quietFrom' | 'quietTo' | 'quietZone'>): QuietHours | null {
  const { quietFrom: from, quietTo: to, quietZone: timeZone } = row
  return from === null || to === null || timeZone === null ? null : { from, to, timeZone }
}

const columnsOf = (hours: QuietHours | null) => ({
  quietFrom: hours?.from ?? null,
  quietTo: hours?.to ?? null,
  quietZone: hours?.timeZone ?? null,
})

export async function setQuietHoursOf(
  trx: Knex,
  userId: number,
  id: number,
  hours: QuietHours | null,
): Promise<PushSubscriptionRow | undefined> {
  const [row] = await trx('push_subscriptions').where({ id, userId }).update(columnsOf(hours)).returning('*')
  return row
}

/** Ending the session waits for this transaction, and then removes what it stored. False for an ended one. */
async function keepSession(trx: Knex, sessionHash: string): Promise<boolean> {
  const session = await trx('sessions').where({ idHash: sessionHash }).whereNull('revokedAt').forShare().first('idHash')
  return session !== undefined
}

export async function findPushSubscription(db: Knex, id: number): Promise<PushSubscriptionRow | undefined> {
  return await db('push_subscriptions').where({ id }).first()
}

export async function listPushSubscriptions(db: Knex, userId: number): Promise<PushSubscriptionRow[]> {
  return await db('push_subscriptions').where({ userId }).orderBy('id')
}

export async function lockPushSubscriptions(trx: Knex, userId: number): Promise<PushSubscriptionRow[]> {
  return await trx('push_subscriptions').where({ userId }).orderBy('id').forUpdate()
}

export async function findPushSubscriptionOf(
  db: Knex,
  userId: number,
  endpoint: string,
): Promise<PushSubscriptionRow | undefined> {
  return await db('push_subscriptions').where({ userId, endpoint }).first()
}

export async function removePushSubscriptionById(db: Knex, userId: number, id: number): Promise<boolean> {
  return (await db('push_subscriptions').where({ id, userId }).del()) > 0
}

/** Only the caller's own: another user's endpoint silences no device. */
export async function removePushSubscription(db: Knex, userId: number, endpoint: string): Promise<void> {
  await db('push_subscriptions').where({ userId, endpoint }).del()
}

export async function removePushSubscriptionsOfDevice(db: Knex, userId: number, deviceId: string): Promise<void> {
  await db('push_subscriptions').where({ userId, deviceId }).del()
}
