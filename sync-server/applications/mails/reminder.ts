import { manyLines } from '#shared/text/plain-text.ts'
import { cutLetter } from '#shared/mail/mail-size.ts'
import { placeText } from '#shared/events/calendar.ts'
import { formatEventDate } from '#shared/time/date-range.ts'
import { ownPagePath } from '../application-token.ts'
import { startOf, whenAndWhereOf } from '../../events/when-and-where.ts'
import { applicationOfMail } from './application-of-mail.ts'
import type { MailRenderer } from '../../mail/mail-renderer.ts'
import { greeting } from '../../mail/greeting.ts'
import { noteTold } from './told.ts'

/** Bytes the organizer's instructions may add to a mail, as `letterBytes` counts them. */
const longestInstructionsBytes = 6_000

/** When, where and what to do, a day before. Not for a start that was moved, and not once it has come. */
export const writeReminder: MailRenderer = async (db, mail, { now }) => {
  const found = await applicationOfMail(db, mail)
  if (found?.application.status !== 'approved') return undefined
  const { application, event, storedEvent } = found
  const current = whenAndWhereOf(event)
  const start = startOf(current)
  if (start.toISOString() !== mail.payload['startsAt'] || start <= now) return undefined
  await noteTold(db, mail, whenAndWhereOf(storedEvent))
  const instructions = cutLetter(manyLines(event.beaconInstructions ?? ''), longestInstructionsBytes)
  return {
    subject: `Reminder: ${event.name}`,
    heading: `${event.name} is coming up`,
    text: `${greeting(mail.toName)}\n\nYou are a Beacon at ${event.name}, and it starts soon.`,
    facts: [
      { label: 'When', value: formatEventDate(current) },
      { label: 'Where', value: placeText(current) },
    ],
    closing: [instructions && `From the organizer:\n${instructions}`, 'Thank you for helping people connect!']
      .filter(Boolean)
      .join('\n\n'),
    action: { label: 'Open Your Own Page', path: await ownPagePath(db, application) },
    reason: `You get this one reminder because you are a Beacon for ${event.name}.`,
  }
}
