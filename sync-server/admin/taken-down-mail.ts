import type { Knex } from 'knex'
import { eventNameInMail } from '#shared/mail/organizer-words.ts'
import { nameInMail } from '../accounts/account-mails.ts'
import { findUser } from '../accounts/user-store.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import { managePath } from '#shared/events/manage-path.ts'
import { greeting, type MailRenderer } from '../mail/mail-message.ts'
import { queueMails } from '../mail/mail-store.ts'

/** Only to a confirmed address: another's reader has nothing to do with the event. */
export async function queueTakenDownMail(trx: Knex, event: EventRow, takenDownAt: Date): Promise<void> {
  const organizer = await findUser(trx, event.organizerId)
  if (!organizer || organizer.emailVerifiedAt === null || organizer.closedAt !== null) return
  await queueMails(trx, [
    {
      kind: 'event-taken-down',
      key: `event-taken-down:${event.id}:${takenDownAt.getTime()}`,
      to: { name: nameInMail(organizer), address: organizer.email },
      eventId: event.id,
      userId: organizer.id,
      payload: { takenDownAt: takenDownAt.toISOString() },
    },
  ])
}

/** Writes nothing once the event is gone or back. */
export const writeEventTakenDown: MailRenderer = async (db, mail, { greetedAs }) => {
  const event = mail.eventId === null ? undefined : await db('events').where({ id: mail.eventId }).first()
  if (!event || event.takenDownReason === null) return undefined
  if (event.takenDownAt?.toISOString() !== mail.payload['takenDownAt']) return undefined
  const eventName = eventNameInMail(event.name)
  return {
    subject: `We have taken ${eventName} down`,
    heading: `We have taken ${eventName} down`,
    text: `${greeting(greetedAs)}\n\nGuests no longer see ${eventName}, and it takes no applications.`,
    facts: [{ label: 'Reason', value: event.takenDownReason }],
    closing:
      'Its applications and everything you wrote are still there, and you can edit the event. Once the reason is resolved, write to us, and we can put it back.',
    action: { label: 'See the Event', path: managePath(event) },
    reason: `You get this because you organize ${eventName}.`,
  }
}
