import type { Knex } from 'knex'
import { placeText, type CalendarEvent } from '#shared/events/calendar.ts'
import { changeInWords, type WhenAndWhere } from '#shared/events/when-and-where.ts'
import { formatEventDate } from '#shared/time/date-range.ts'
import { hasEnded } from '#shared/time/event-time.ts'
import { cutToBytes } from '#shared/mail/mail-size.ts'
import { messageText } from '#shared/mail/message-text.ts'
import { placeInMail } from '#shared/mail/organizer-words.ts'
import type { MailKind, MailState } from '#shared/mail/mail.ts'
import { ownPagePath } from '../application-token.ts'
import { whenAndWhereOf, calendarAttachment } from '../../events/mails/event-in-mail.ts'
import { applicationOfMail, lastTold, noteTold } from './application-of-mail.ts'
import { isConfirmed } from '../../mail/mail-allowance.ts'
import { greeting, type MailRenderer } from '../../mail/mail-message.ts'

/**
 * Compares with what the Beacon knows. There is no news of what reads the same, when an approval with it is on its way,
 * once the event is over, and while it is cancelled.
 */
export const writeEventChanged: MailRenderer = async (db, mail, { publicOrigin, now, greetedAs }) => {
  const found = await applicationOfMail(db, mail)
  if (found?.application.status !== 'approved' || found.event.cancelledAt !== null) return undefined
  const { application, event, storedEvent, organizerIsConfirmed } = found
  const current = whenAndWhereOf(storedEvent)
  const { note } = mail.payload
  const known = (await lastTold(db, application.id)) ?? (mail.payload['known'] as WhenAndWhere)
  const changes = compare(known, current, (place) => placeText(placeInMail(place, organizerIsConfirmed)))
  if (!changes || hasEnded(current, now) || (await awaitsDecisionMail(db, application.id))) return undefined
  await noteTold(db, mail, { told: current })
  return {
    subject: `${changes.news} for ${event.name}`,
    heading: `${changes.news} for ${event.name}`,
    preview: changes.facts.map(({ label, value }) => `${label}: ${value}`).join(' · '),
    text: [
      greeting(greetedAs),
      `The organizer has changed ${event.name}.`,
      ...(typeof note === 'string' ? [messageText(note, greetedAs, storedEvent, organizerIsConfirmed)] : []),
      'Here is what changed:',
    ].join('\n\n'),
    facts: changes.facts,
    closing:
      'Everything else stays as it was. Open the attached file to bring your calendar up to date. If you can no longer make it, please tell the organizer on your own page.',
    action: { label: 'Open Your Own Page', path: await ownPagePath(db, application) },
    reason: `You get this because you are a Beacon for ${event.name}, and when or where it takes place has changed.`,
    attachments: [
      calendarAttachment(event, publicOrigin, event.updatedAt, {
        sequence: event.edition,
        method: 'PUBLISH',
        known,
      }),
    ],
  }
}

function compare(known: WhenAndWhere, current: WhenAndWhere, shownPlace: (place: WhenAndWhere) => string) {
  const [when, whenBefore] = [formatEventDate(current), formatEventDate(known)]
  const [where, whereBefore] = [placeText(current), placeText(known)]
  const news = changeInWords(known, current)
  if (news === undefined) return undefined
  return {
    news: `New ${news}`,
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
  /** It is missing where the Beacon knew of the event's last change. */
  readonly known?: WhenAndWhere
}

/** Goes to an approved Beacon, with a calendar entry that removes it. */
export const writeEventCancelled: MailRenderer = async (db, mail, { publicOrigin, greetedAs }) => {
  const { event: stored, edition, knownStatus, known } = mail.payload as unknown as Cancellation
  const event = placeInMail(stored, await isConfirmed(db, mail.organizerId))
  const isBeacon = knownStatus === 'approved'
  return {
    subject: `Cancelled: ${event.name}`,
    heading: `${event.name} is cancelled`,
    text: `${greeting(greetedAs)}\n\n${event.name} will not take place: the organizer has cancelled it. There is nothing you need to do.`,
    facts: [
      { label: 'Was planned for', value: formatEventDate(event) },
      { label: 'Where', value: placeText(event) },
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
            calendarAttachment(event, publicOrigin, mail.createdAt, { sequence: edition + 1, method: 'CANCEL', known }),
          ],
        }
      : {}),
  }
}

/** It is undefined for an event that was cancelled again or is over, and for people who no longer have a part in it. */
export const writeEventReinstated: MailRenderer = async (db, mail, { publicOrigin, now, greetedAs }) => {
  const found = await applicationOfMail(db, mail)
  if (!found || found.event.cancelledAt !== null || hasEnded(found.event, now)) return undefined
  const { application, event, storedEvent } = found
  if (application.status === 'rejected' || application.withdrawnAt !== null) return undefined
  const isBeacon = application.status === 'approved' && mail.payload['knownStatus'] === 'approved'
  await noteTold(db, mail, { told: whenAndWhereOf(storedEvent) })
  return {
    subject: `Not cancelled after all: ${event.name}`,
    heading: `${event.name} takes place after all`,
    text: `${greeting(greetedAs)}\n\nWe wrote to you that ${event.name} was cancelled. The event is back on.`,
    facts: [
      { label: 'When', value: formatEventDate(event) },
      { label: 'Where', value: placeText(event) },
    ],
    closing: isBeacon
      ? 'You are still a Beacon. Open the attached file to put the event back into your calendar. If you can no longer make it, please tell the organizer on your own page.'
      : 'Your application still counts: we will write to you when it is decided.',
    action: { label: 'Open Your Own Page', path: await ownPagePath(db, application) },
    reason: isBeacon
      ? `You get this because you are a Beacon for ${event.name}.`
      : `You get this because you applied to be a Beacon for ${event.name}.`,
    ...(isBeacon && {
      attachments: [
        calendarAttachment(event, publicOrigin, event.updatedAt, { sequence: event.edition, method: 'PUBLISH' }),
      ],
    }),
  }
}
