import type { Knex } from 'knex'
import type { ApplicationRow } from '../db/rows/application-rows.ts'
import type { BeaconNews } from '../alerts/push-message.ts'
import { queueBeaconNews } from './alerts/queue-beacon-news.ts'
import { queueBeaconNewsMail } from './organizer-mail.ts'

/**
 * Lets an event's organizer know what an approved Beacon did by themselves: on every device with alerts, by mail where there
 * is none. In the transaction that does it, so that it is told exactly if it happened. Whoever removes an approved Beacon's
 * application without the organizer calls this with `withdrawn`, before the row is gone.
 */
export async function tellOrganizer(
  trx: Knex,
  organizerId: number,
  { id, eventId }: Pick<ApplicationRow, 'id' | 'eventId'>,
  news: BeaconNews,
  now: Date,
): Promise<void> {
  await queueBeaconNews(trx, { news, eventId, applicationId: id, now })
  await queueBeaconNewsMail(trx, organizerId, { id, eventId }, news, now)
}
