import type { Knex } from 'knex'
import { eventNameInMail } from '#shared/mail/organizer-words.ts'
import { findReaderOfApplications } from '../../accounts/user-store.ts'
import { greeting, type MailRenderer } from '../../mail/mail-message.ts'
import { unsubscribePath } from '../../accounts/mails/unsubscribe.ts'
import type { EventRow } from '../../db/rows/event-rows.ts'
import { countApplications } from '../../events/event-store.ts'
import { managePath } from '#shared/events/manage-path.ts'
import type { MailRow } from '../../db/rows/message-rows.ts'
import { listStillAbsent } from '../application-store.ts'
import { noteTold } from './application-of-mail.ts'

/** Undefined when the event is gone, or these mails are off. */
async function findOrganized(db: Knex, { eventId }: MailRow): Promise<EventRow | undefined> {
  const event = eventId === null ? undefined : await db('events').where({ id: eventId }).first()
  return event && (await findReaderOfApplications(db, event.organizerId)) ? event : undefined
}

const endingOf = async (db: Knex, { organizerId, name }: EventRow, subject: string) => ({
  reason: `You get this because you organize ${eventNameInMail(name)} and none of your devices is set to alert you.`,
  unsubscribe: { label: `Turn off emails about ${subject}`, path: await unsubscribePath(db, organizerId) },
})

/** Contains no word of an applicant's. There is no mail when all are decided. */
export const writeNewApplications: MailRenderer = async (db, mail, { greetedAs }) => {
  const event = await findOrganized(db, mail)
  if (!event) return undefined
  const eventName = eventNameInMail(event.name)
  const applicationIds = await listUntold(db, event.id, mail)
  if (applicationIds.length === 0) return undefined
  await noteTold(db, mail, { applicationIds })
  const count = applicationIds.length
  const what = count === 1 ? '1 new Beacon application' : `${count} new Beacon applications`
  const pending = (await countApplications(db, [event.id]))(event.id).pendingCount
  return {
    subject: `${what} for ${eventName}`,
    heading: what,
    text: `${greeting(greetedAs)}\n\n${count === 1 ? 'One person has' : `${count} people have`} applied to be a Beacon for ${eventName}. ${
      pending > count ? `In all, ${pending} applications wait for your answer.` : 'They wait for your answer.'
    }`,
    action: {
      label: count === 1 ? 'See the Application' : 'See the Applications',
      path: managePath(event),
    },
    ...(await endingOf(db, event, 'new applications')),
  }
}

/** The first application queues the mail; one from a longer transaction may have an earlier time. */
const slackMs = 120_000

async function listUntold(db: Knex, eventId: number, mail: MailRow): Promise<number[]> {
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `select a.id from applications a
     where a.event_id = ? and a.status = 'pending' and a.created_at >= ?
       and not exists (
         select from mails told
         where told.event_id = a.event_id and told.id <> ? and told.kind = 'new-applications' and told.state in ('sending', 'sent')
           and told.payload->'applicationIds' @> to_jsonb(a.id))
     order by a.created_at, a.id`,
    [eventId, new Date(mail.createdAt.getTime() - slackMs), mail.id],
  )
  return rows.map(({ id }) => id)
}

/**
 * Contains no word of the Beacons'. Beacons who said meanwhile that they come after all are left out, so that there
 * may be nothing to write.
 */
export const writeBeaconNews: MailRenderer = async (db, mail, { greetedAs }) => {
  const event = await findOrganized(db, mail)
  if (!event) return undefined
  const eventName = eventNameInMail(event.name)
  const withdrawn = numbersIn(mail.payload['withdrawn']).length
  const absent = (await listStillAbsent(db, numbersIn(mail.payload['absent']))).length
  const changed = numbersIn(mail.payload['changed']).length
  const again = numbersIn(mail.payload['again']).length
  if (withdrawn + absent + changed + again === 0) return undefined
  const applicants = again === 1 ? 'One person has' : `${again} people have`
  const lines = [
    withdrawn > 0 &&
      `${beacons(withdrawn, 'has', 'have')} withdrawn and ${verb(withdrawn)} no longer expected at ${eventName}.`,
    absent > 0 && `${beacons(absent, 'says', 'say')} they can’t come to ${eventName}.`,
    changed > 0 &&
      `${beacons(changed, 'has', 'have')} changed what guests read about them on the page of ${eventName}. The earlier text is shown next to it.`,
    again > 0 &&
      `${applicants} applied again to be a Beacon for ${eventName}, after withdrawing. ${again === 1 ? 'It waits' : 'They wait'} for your answer.`,
  ].filter(Boolean)
  const subject =
    withdrawn > 0
      ? `${beacons(withdrawn, 'has', 'have')} withdrawn from ${eventName}`
      : absent > 0
        ? `${beacons(absent, 'can’t', 'can’t')} come to ${eventName}`
        : changed > 0
          ? `${beacons(changed, 'has', 'have')} changed what guests read`
          : `${applicants} applied again for ${eventName}`
  return {
    subject,
    heading: subject,
    text: [greeting(greetedAs), ...lines].join('\n\n'),
    action: { label: 'See the Beacons', path: managePath(event) },
    ...(await endingOf(db, event, 'applications')),
  }
}

const numbersIn = (ids: unknown) => [...new Set(Array.isArray(ids) ? ids.map(Number) : [])]
const beacons = (count: number, one: string, several: string) =>
  count === 1 ? `A Beacon ${one}` : `${count} Beacons ${several}`
const verb = (count: number) => (count === 1 ? 'is' : 'are')
