import type { Knex } from 'knex'
import { placeText, type CalendarEvent } from '#shared/events/calendar.ts'
import { formatEventDate } from '#shared/time/date-range.ts'
import { hasEnded } from '#shared/time/event-time.ts'
import { cutToBytes } from '#shared/mail/mail-size.ts'
import { placeInMail } from '#shared/mail/organizer-words.ts'
import type { MailKind, MailState } from '#shared/mail/mail.ts'
import { ownPagePath } from '../application-token.ts'
import { whenAndWhereOf, type WhenAndWhere, calendarAttachment } from '../../events/mails/event-in-mail.ts'
import { applicationOfMail, lastTold, noteTold } from './application-of-mail.ts'
import { isConfirmed } from '../../mail/mail-allowance.ts'
import { greeting, type MailRenderer } from '../../mail/mail-message.ts'

/**
 * Compares with what the Beacon was told last. No news of what reads the same, when an approval with it is on its way,
 * and once the event is over.
 */
export const writeEventChanged: MailRenderer = async (db, mail, { publicOrigin, now, greetedAs }) => {
  const found = await applicationOfMail(db, mail)
  if (found?.application.status !== 'approved') return undefined
  const { application, event, storedEvent, organizerIsConfirmed } = found
  const current = whenAndWhereOf(storedEvent)
  const known = (await lastTold(db, application.id)) ?? (mail.payload['known'] as WhenAndWhere)
  const changes = compare(known, current, (place) => placeText(placeInMail(place, organizerIsConfirmed)))
  if (!changes || hasEnded(current, now) || (await awaitsDecisionMail(db, application.id))) return undefined
  await noteTold(db, mail, { told: current })
  return {
    subject: `${changes.news} for ${event.name}`,
    heading: `${changes.news} for ${event.name}`,
    preview: changes.facts.map(({ label, value }) => `${label}: ${value}`).join(' · '),
    text: `${greeting(greetedAs)}\n\nThe organizer has changed ${event.name}. This is how it stands now:`,
    facts: changes.facts,
    closing:
      'Everything else stays as it was. Open the attached file to bring your calendar up to date. If you cannot make it any more, please withdraw on your own page, so that the organizer knows.',
    action: { label: 'Open Your Own Page', path: await ownPagePath(db, application) },
    reason: `You get this because you are a Beacon for ${event.name}, and when or where it takes place has changed.`,
    attachments: [
      calendarAttachment(event, publicOrigin, event.updatedAt, {
        sequence: event.edition,
        method: 'PUBLISH',
      }),
    ],
  }
}

function compare(known: WhenAndWhere, current: WhenAndWhere, shownPlace: (place: WhenAndWhere) => string) {
  const [when, whenBefore] = [formatEventDate(current), formatEventDate(known)]
  const [where, whereBefore] = [placeText(current), placeText(known)]
  if (when === whenBefore && where === whereBefore) return undefined
  const sameDays = known.startDate === current.startDate && known.endDate === current.endDate
  const news = [
    ...(when === whenBefore ? [] : [sameDays ? 'time' : 'date']),
    ...(where === whereBefore ? [] : ['place']),
  ]
  return {
    news: `New ${news.join(' and ')}`,
    facts: [
      { label: 'When', value: when, ...(when === whenBefore ? {} : { was: whenBefore }) },
      {
        label: 'Where',
        value: shownPlace(current),
        ...(where === whereBefore ? {} : { was: cutToBytes(shownPlace(known), 200) }),
      },
    ],
  }
}

async function awaitsDecisionMail(db: Knex, applicationId: number): Promise<boolean> {
  const open = await db('mails')
    .where({ applicationId, kind: 'decision' satisfies MailKind })
    .whereIn('state', ['held', 'queued', 'sending'] satisfies MailState[])
    .first('id')
  return open !== undefined
}

interface Cancellation {
  /** A copy: the event's row is gone. */
  readonly event: CalendarEvent
  readonly edition: number
  readonly knownStatus: string
}

/** For an approved Beacon with a calendar entry that removes it. */
export const writeEventCancelled: MailRenderer = async (db, mail, { publicOrigin, greetedAs }) => {
  const { event: stored, edition, knownStatus } = mail.payload as unknown as Cancellation
  const event = placeInMail(stored, await isConfirmed(db, mail.organizerId))
  const isBeacon = knownStatus === 'approved'
  return {
    subject: `Cancelled: ${event.name}`,
    heading: `${event.name} is cancelled`,
    text: `${greeting(greetedAs)}\n\n${event.name} will not take place: the organizer has cancelled it. There is nothing you need to do.`,
    facts: [
      { label: 'It was to be', value: formatEventDate(event) },
      { label: 'At', value: placeText(event) },
    ],
    closing: isBeacon
      ? 'Thank you for having been ready to help people meet. Open the attached file to take the event out of your calendar.'
      : 'Your application has ended with it. Thank you for having offered to help people meet.',
    action: { label: 'Find Another Event', path: '/events' },
    reason: isBeacon
      ? `You get this because you were a Beacon for ${event.name}.`
      : `You get this because you had applied to be a Beacon for ${event.name}.`,
    ...(isBeacon
      ? {
          attachments: [
            calendarAttachment(event, publicOrigin, mail.createdAt, { sequence: edition + 1, method: 'CANCEL' }),
          ],
        }
      : {}),
  }
}
