import type { Knex } from 'knex'
import { placeText } from '#shared/events/calendar.ts'
import { formatEventDate } from '#shared/time/date-range.ts'
import { hasEnded } from '#shared/time/event-time.ts'
import { cutToBytes } from '#shared/mail/mail-size.ts'
import type { MailKind, MailState } from '#shared/mail/mail.ts'
import { ownPagePath } from '../application-token.ts'
import { calendarEventOf, whenAndWhereOf, type WhenAndWhere } from '../../events/when-and-where.ts'
import { applicationOfMail } from './application-of-mail.ts'
import { calendarAttachment } from '../../events/mails/calendar-attachment.ts'
import { placeInMail } from '../../events/mails/event-in-mail.ts'
import type { MailRenderer } from '../../mail/mail-renderer.ts'
import { greeting } from '../../mail/greeting.ts'
import { lastTold, noteTold } from './told.ts'

/**
 * What has changed since the Beacon was told last, as it is now. There is no news where that reads the same, where an
 * approval that says it all is still on its way, and once the event is over.
 */
export const writeEventChanged: MailRenderer = async (db, mail, { publicOrigin, now }) => {
  const found = await applicationOfMail(db, mail)
  if (found?.application.status !== 'approved') return undefined
  const { application, event, storedEvent, organizerIsConfirmed } = found
  const current = whenAndWhereOf(storedEvent)
  const known = (await lastTold(db, application.id)) ?? (mail.payload['known'] as WhenAndWhere)
  const changes = compare(known, current, (place) => placeText(placeInMail(place, organizerIsConfirmed)))
  if (!changes || hasEnded(current, now) || (await awaitsDecisionMail(db, application.id))) return undefined
  await noteTold(db, mail, current)
  return {
    subject: `${changes.news} for ${event.name}`,
    heading: `${changes.news} for ${event.name}`,
    preview: changes.facts.map(({ label, value }) => `${label}: ${value}`).join(' · '),
    text: `${greeting(mail.toName)}\n\nThe organizer has changed ${event.name}. This is how it stands now:`,
    facts: changes.facts,
    closing:
      'Everything else stays as it was. Open the attached file to bring your calendar up to date. If you cannot make it any more, please withdraw on your own page, so that the organizer knows.',
    action: { label: 'Open Your Own Page', path: await ownPagePath(db, application) },
    reason: `You get this because you are a Beacon for ${event.name}, and when or where it takes place has changed.`,
    attachments: [
      calendarAttachment(calendarEventOf(event), publicOrigin, event.updatedAt, {
        sequence: event.edition,
        method: 'PUBLISH',
      }),
    ],
  }
}

/** Old and new, side by side, each as `shownPlace` prints it; undefined when they read the same. */
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
