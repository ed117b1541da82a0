import type { Knex } from 'knex'
import type { Logger } from 'pino'
import { isExpected, saysComing } from '#shared/applications/coming.ts'
import { placeText } from '#shared/events/calendar.ts'
import { cutLetter } from '#shared/mail/mail-size.ts'
import { manyLines } from '#shared/text/plain-text.ts'
import { formatEventDate } from '#shared/time/date-range.ts'
import { todayIn } from '#shared/time/event-time.ts'
import { isExpectedRow } from '../../db/expected-beacon.ts'
import type { EventRow } from '../../db/rows/event-rows.ts'
import { findEventForChange, isVisible } from '../../events/event-store.ts'
import { startOf, whenAndWhereOf } from '../../events/mails/event-in-mail.ts'
import { greeting, type MailRenderer } from '../../mail/mail-message.ts'
import { queueMails } from '../../mail/mail-store.ts'
import { ownPagePath } from '../application-token.ts'
import { applicationOfMail, noteTold } from './application-of-mail.ts'

const dayMs = 86_400_000
const lookMs = 120_000

export function startReminders(db: Knex, log: Logger): () => void {
  const look = () =>
    void queueReminders(db, new Date()).then(
      (count) => count > 0 && log.info({ count }, 'queued reminders'),
      (error: unknown) => log.warn({ err: error }, 'cannot look for reminders that are due'),
    )
  look()
  const timer = setInterval(look, lookMs)
  return () => clearInterval(timer)
}

/**
 * Queues one mail per start for each event that starts within a day, to each Beacon approved before that day began who
 * is not known to stay away. The event is marked with the start, so that it is looked at once; one who comes after all
 * takes the mark away. Returns how many are new.
 */
export async function queueReminders(db: Knex, now: Date): Promise<number> {
  let queued = 0
  for (const { id } of (await listEventsAround(db, now)).filter((event) => dueStart(event, now))) {
    queued += await db.transaction(async (trx) => {
      const event = await findEventForChange(trx, id)
      const startsAt = event?.cancelledAt === null && dueStart(event, now)
      if (!startsAt || !(await isVisible(trx, id))) return 0
      await trx('events').where({ id }).update({ remindedFor: startsAt })
      return await queueRemindersOf(trx, event, startsAt)
    })
  }
  return queued
}

/** The next look offers a reminder to every Beacon of the event again; those who had one get none. */
export async function remindAgain(trx: Knex, eventId: number): Promise<void> {
  await trx('events').where({ id: eventId }).update({ remindedFor: null })
}

async function queueRemindersOf(trx: Knex, event: EventRow, startsAt: Date): Promise<number> {
  const beacons = await trx('applications')
    .where({ eventId: event.id, status: 'approved' })
    .whereRaw(isExpectedRow)
    .where('decidedAt', '<=', new Date(startsAt.getTime() - dayMs))
    .orderBy('id')
    .select('id', 'firstName', 'lastName', 'email')
  return await queueMails(
    trx,
    beacons.map(({ id, firstName, lastName, email }) => ({
      kind: 'reminder',
      key: `reminder:${id}:${startsAt.toISOString()}`,
      to: { name: `${firstName} ${lastName}`, address: email },
      eventId: event.id,
      applicationId: id,
      payload: { startsAt: startsAt.toISOString() },
    })),
  )
}

/** It is undefined unless the event starts within a day from now, and when its Beacons were reminded of that start. */
function dueStart(event: EventRow, now: Date): Date | undefined {
  const startsAt = startOf(whenAndWhereOf(event))
  if (event.remindedFor?.getTime() === startsAt.getTime()) return undefined
  return startsAt > now && startsAt.getTime() - now.getTime() <= dayMs ? startsAt : undefined
}

/** "Today" depends on the zone, so a day more on each side. */
async function listEventsAround(db: Knex, now: Date): Promise<EventRow[]> {
  const day = (offset: number) => todayIn('UTC', new Date(now.getTime() + offset * dayMs))
  return await db('events')
    .where({ cancelledAt: null })
    .where('endDate', '>=', day(-1))
    .whereBetween('startDate', [day(-1), day(2)])
}

const longestInstructionsBytes = 6_000

/** Writes nothing for a moved start or a cancelled event, or once the start has come. */
export const writeReminder: MailRenderer = async (db, mail, { now, greetedAs }) => {
  const found = await applicationOfMail(db, mail)
  if (found?.application.status !== 'approved' || !isExpected(found.application)) return undefined
  const { application, event, storedEvent } = found
  if (event.cancelledAt !== null) return undefined
  const current = whenAndWhereOf(event)
  const start = startOf(current)
  if (start.toISOString() !== mail.payload['startsAt'] || start <= now) return undefined
  await noteTold(db, mail, { told: whenAndWhereOf(storedEvent) })
  const instructions = cutLetter(manyLines(event.beaconInstructions ?? ''), longestInstructionsBytes)
  return {
    subject: `Reminder: ${event.name}`,
    heading: `${event.name} is coming up`,
    text: `${greeting(greetedAs)}\n\nYou are a Beacon at ${event.name}, and it starts soon.`,
    facts: [
      { label: 'When', value: formatEventDate(current) },
      { label: 'Where', value: placeText(current) },
    ],
    closing: [
      saysComing(application) === undefined &&
        'Still coming? Please tell the organizer on your own page: one tap, yes or no.',
      instructions && `From the organizer:\n${instructions}`,
      'Thank you for helping people connect!',
    ]
      .filter(Boolean)
      .join('\n\n'),
    action: { label: 'Open Your Own Page', path: await ownPagePath(db, application) },
    reason: `You get this one reminder because you are a Beacon for ${event.name}.`,
  }
}
