import type { Knex } from 'knex'
import type { QuietHours } from '#shared/alerts/quiet-hours.ts'
import type { PushSubscriptionRow } from '../db/rows/message-rows.ts'
import { sessionHasRunOut } from '../db/run-out-session.ts'
import type { AcceptedSubscription } from './push-endpoints.ts'

/** The oldest devices make room. */
const maxPerUser = 20

interface NewPushSubscription extends AcceptedSubscription {
  readonly userId: number
  readonly sessionHash: string | null
  readonly deviceId: string
  readonly deviceName: string | null
  /** This is an IANA name; it is null when the device does not say. */
  readonly timeZone: string | null
}

/**
 * An endpoint belongs to one browser, so it follows the user who signs in there last; a device has one endpoint. Quiet
 * hours and the wish for names stay with the device, also under another endpoint or zone, and never reach another person.
 */
export async function savePushSubscription(
  trx: Knex,
  { sessionHash, timeZone, ...device }: NewPushSubscription,
): Promise<'saved' | 'session-ended'> {
  const { userId, deviceId, endpoint } = device
  if (sessionHash !== null && !(await keepSession(trx, sessionHash))) return 'session-ended'
  // The row is locked, so that a choice that is made at the same moment is not overwritten.
  const before = await trx('push_subscriptions')
    .where({ userId })
    .andWhere((either) => void either.where({ deviceId }).orWhere({ endpoint }))
    .orderBy('id')
    .forUpdate()
  const quiet = before.map(quietHoursOf).findLast((hours) => hours !== null) ?? null
  const showNames = before.at(-1)?.showNames ?? false
  await trx('push_subscriptions').where({ userId, deviceId }).whereNot({ endpoint }).del()
  await trx('push_subscriptions')
    .insert({
      ...device,
      sessionIdHash: sessionHash,
      showNames,
      ...quietColumns(quiet && { ...quiet, timeZone: timeZone ?? quiet.timeZone }),
    })
    .onConflict('endpoint')
    .merge([
      'userId',
      'sessionIdHash',
      'deviceId',
      'deviceName',
      'p256dh',
      'auth',
      'quietFrom',
      'quietTo',
      'quietZone',
      'showNames',
    ])
  const surplus = trx('push_subscriptions').where({ userId }).orderBy('id', 'desc').offset(maxPerUser).select('id')
  await trx('push_subscriptions').whereIn('id', surplus).del()
  return 'saved'
}

/** Returns null for a device without quiet hours. */
export function quietHoursOf(row: Pick<PushSubscriptionRow, 'quietFrom' | 'quietTo' | 'quietZone'>): QuietHours | null {
  const { quietFrom: from, quietTo: to, quietZone: timeZone } = row
  return from === null || to === null || timeZone === null ? null : { from, to, timeZone }
}

export const quietColumns = (hours: QuietHours | null) => ({
  quietFrom: hours?.from ?? null,
  quietTo: hours?.to ?? null,
  quietZone: hours?.timeZone ?? null,
})

/**
 * Ending the session waits for this transaction, and then removes what it stored. Returns false if the session has
 * ended.
 */
async function keepSession(trx: Knex, sessionHash: string): Promise<boolean> {
  const session = await trx('sessions').where({ idHash: sessionHash }).whereNull('revokedAt').forShare().first('idHash')
  return session !== undefined
}

/** The devices that can be alerted: a device whose session has run out cannot even sign in. */
export const alertedDevices = (db: Knex, now: Date) =>
  db('push_subscriptions').whereRaw(`not ${sessionHasRunOut}`, [now])

/** The devices of the organizer, and of those on their team who may read applications. */
function devicesOfReaders(db: Knex, organizerId: number, now: Date) {
  const readers = db('team_members').where({ organizerId }).whereNot({ role: 'door' }).select('userId')
  return alertedDevices(db, now).andWhere(
    (either) => void either.where({ userId: organizerId }).orWhereIn('userId', readers),
  )
}

export async function hasAlertedDevices(db: Knex, organizerId: number, now: Date): Promise<boolean> {
  return (await devicesOfReaders(db, organizerId, now).first('id')) !== undefined
}

/** Locks them until the transaction ends. */
export async function lockAlertedDevices(trx: Knex, organizerId: number, now: Date): Promise<PushSubscriptionRow[]> {
  return await devicesOfReaders(trx, organizerId, now).orderBy('id').forUpdate()
}
