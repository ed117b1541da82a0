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
export async function savePushSubscription(
  trx: Knex,
  { sessionHash, timeZone, ...device }: NewPushSubscription,
): Promise<'saved' | 'session-ended'> {
  const { userId, deviceId, endpoint } = device
  if (sessionHash !== null && !(await keepSession(trx, sessionHash))) return 'session-ended'
  const before = await trx('push_subscriptions')
    .where({ userId })
    .andWhere((either) => void either.where({ deviceId }).orWhere({ endpoint }))
    .orderBy('id', 'desc')
  const quiet = before.map(quietHoursOf).find((hours) => hours !== null) ?? null
  await trx('push_subscriptions').where({ userId, deviceId }).whereNot({ endpoint }).del()
  await trx('push_subscriptions')
    .insert({
      ...device,
      sessionIdHash: sessionHash,
      ...quietColumns(quiet && { ...quiet, timeZone: timeZone ?? quiet.timeZone }),
    })
    .onConflict('endpoint')
    .merge(['userId', 'sessionIdHash', 'deviceId', 'deviceName', 'p256dh', 'auth', 'quietFrom', 'quietTo', 'quietZone'])
  const surplus = trx('push_subscriptions').where({ userId }).orderBy('id', 'desc').offset(mostPerUser).select('id')
  await trx('push_subscriptions').whereIn('id', surplus).del()
  return 'saved'
}

/** Null for never. */
export function quietHoursOf(row: Pick<PushSubscriptionRow, 'quietFrom' | 'quietTo' | 'quietZone'>): QuietHours | null {
  const { quietFrom: from, quietTo: to, quietZone: timeZone } = row
  return from === null || to === null || timeZone === null ? null : { from, to, timeZone }
}

export const quietColumns = (hours: QuietHours | null) => ({
  quietFrom: hours?.from ?? null,
  quietTo: hours?.to ?? null,
  quietZone: hours?.timeZone ?? null,
})

/** Ending the session waits for this transaction, and then removes what it stored. False for an ended one. */
async function keepSession(trx: Knex, sessionHash: string): Promise<boolean> {
  const session = await trx('sessions').where({ idHash: sessionHash }).whereNull('revokedAt').forShare().first('idHash')
  return session !== undefined
}

export async function lockPushSubscriptions(trx: Knex, userId: number): Promise<PushSubscriptionRow[]> {
  return await trx('push_subscriptions').where({ userId }).orderBy('id').forUpdate()
}
