import { formatEventDate } from '#shared/time/date-range.ts'
import { placeText } from '#shared/events/calendar.ts'
import { ownPagePath } from '../application-token.ts'
import { whenAndWhereOf } from '../../events/when-and-where.ts'
import { applicationOfMail } from './application-of-mail.ts'
import type { MailRenderer } from '../../mail/mail-renderer.ts'

/**
 * That an application has arrived, and where it can be looked at. Nothing of what was typed into the form stands in it,
 * not even the name: the address may be somebody else's.
 */
export const writeAcknowledgement: MailRenderer = async (db, mail) => {
  const found = await applicationOfMail(db, mail)
  if (!found || found.application.withdrawnAt !== null) return undefined
  const { application, event } = found
  const current = whenAndWhereOf(event)
  return {
    subject: `We have your application for ${event.name}`,
    heading: 'Your application has arrived',
    text: `Hello,\n\nThank you for applying to be a Beacon for ${event.name}. The organizer will look at your application, and we will write to you when it is decided.`,
    facts: [
      { label: 'When', value: formatEventDate(current) },
      { label: 'Where', value: placeText(current) },
    ],
    closing:
      'On your own page you see where it stands, correct what you wrote, or withdraw. The link is yours alone: please do not pass it on.',
    action: { label: 'Open Your Own Page', path: await ownPagePath(db, application) },
    reason: `You get this because somebody, hopefully you, applied with this address. If it was not you, open the page and withdraw.`,
  }
}
