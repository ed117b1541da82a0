import type { Knex } from 'knex'
import type { MailKind } from '#shared/mail/mail.ts'
import { nameInMail } from '../accounts/account-mails.ts'
import { findReaderOfApplications } from '../accounts/user-store.ts'
import type { UserRow } from '../db/rows/account-rows.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'
import { queueMails } from '../mail/mail-store.ts'
import type { BeaconNews } from '../alerts/alert-message.ts'
import { alertedDevices } from '../alerts/push-subscription-store.ts'
import { queueBeaconNews } from './alerts/beacon-news.ts'

/** Shares one mail (product decision). */
const gatherMs = 600_000

type About = Pick<ApplicationRow, 'id' | 'eventId'>

/** Undefined when a device alerts the organizer, or these mails are off. */
async function findMailReader(trx: Knex, organizerId: number, now: Date): Promise<UserRow | undefined> {
  if (await alertedDevices(trx, now).where({ userId: organizerId }).first('id')) return undefined
  return await findReaderOfApplications(trx, organizerId)
}

/**
 * One mail gathers all applications until it leaves. A mail being written counts as gone; a held one is locked, so that
 * it finds the application.
 */
export async function queueOrganizerMail(trx: Knex, organizerId: number, about: About, now: Date): Promise<void> {
  const reader = await findMailReader(trx, organizerId, now)
  if (!reader) return
  const findGathering = () =>
    trx('mails')
      .where({ eventId: about.eventId, kind: 'new-applications' satisfies MailKind, state: 'held' })
      .forShare()
      .first('id')
  if (await findGathering()) return
  // Without the lock, applications that are stored at the same time would each queue a mail.
  await trx.raw(`select pg_advisory_xact_lock(hashtextextended('mail about event ' || ?::bigint, 0))`, [about.eventId])
  if (await findGathering()) return
  await queue(trx, reader, { kind: 'new-applications', key: `new-applications:${about.id}`, about, payload: {}, now })
}

/** One mail gathers what happens until it leaves, with the applications' ids: deleted ones are found nowhere else. */
async function queueBeaconNewsMail(
  trx: Knex,
  organizerId: number,
  about: About,
  news: BeaconNews,
  now: Date,
): Promise<void> {
  const reader = await findMailReader(trx, organizerId, now)
  if (!reader) return
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `update mails set payload = jsonb_set(payload, array[?], coalesce(payload->?, '[]'::jsonb) || ?::jsonb)
     where event_id = ? and kind = 'beacon-news' and state = 'held' returning id`,
    [news, news, JSON.stringify([about.id]), about.eventId],
  )
  if (rows.length > 0) return
  const key = `beacon-news:${news}:${about.id}:${now.getTime()}`
  await queue(trx, reader, { kind: 'beacon-news', key, about, payload: { [news]: [about.id] }, now })
}

async function queue(
  trx: Knex,
  reader: UserRow,
  mail: { kind: MailKind; key: string; about: About; payload: Record<string, unknown>; now: Date },
): Promise<void> {
  const { kind, key, about, payload, now } = mail
  await queueMails(trx, [
    {
      kind,
      key,
      to: { name: nameInMail(reader), address: reader.email },
      eventId: about.eventId,
      userId: reader.id,
      payload,
      sendAt: new Date(now.getTime() + gatherMs),
    },
  ])
}

/**
 * Goes to every device with alerts, else by mail, in the transaction of the change. It is called with `withdrawn`
 * before an approved Beacon's application is removed without the organizer.
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
