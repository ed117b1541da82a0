import { formatEventDate } from '#shared/time/date-range.ts'
import { placeText } from '#shared/events/calendar.ts'
import type { HandlerCall } from '../../calls/handler.ts'
import type { ApplicationRow } from '../../db/rows/application-rows.ts'
import { ownPagePath } from '../application-token.ts'
import { whenAndWhereOf } from '../../events/mails/event-in-mail.ts'
import { applicationOfMail } from './application-of-mail.ts'
import type { MailRenderer } from '../../mail/mail-message.ts'
import type { NewMail } from '../../mail/mail-store.ts'

const hourMs = 3_600_000
/** The mails of a greater crowd follow in the next hours. */
const maxInAnHour = 600
/** In a day: a visitor may type a stranger's address. */
const maxToOneMailbox = 5

/** No application is refused for the number of mails: its sender has the link on the screen. */
export async function acknowledgementOf(
  { spend, now }: Pick<HandlerCall<'applyAsBeacon' | 'correctEmail'>, 'spend' | 'now'>,
  row: ApplicationRow,
): Promise<NewMail[]> {
  const ofEvent = await spend.count('application-event', String(row.eventId))
  const toMailbox = await spend.count('acknowledgement', mailboxOf(row.email))
  const hoursLater = Math.floor((ofEvent - 1) / maxInAnHour)
  if (toMailbox > maxToOneMailbox || hoursLater >= 24) return []
  return [
    {
      kind: 'acknowledgement',
      key: `acknowledgement:${row.id}`,
      to: { name: '', address: row.email },
      eventId: row.eventId,
      applicationId: row.id,
      payload: {},
      ...(hoursLater > 0 && { sendAt: new Date(now.getTime() + hoursLater * hourMs) }),
    },
  ]
}

/** Ignores case and a tag behind a plus. */
function mailboxOf(email: string): string {
  return email.toLowerCase().replace(/\+[^@]*@/, '@')
}

/** Repeats nothing from the form, not even the name: the address may be another person's. */
export const writeAcknowledgement: MailRenderer = async (db, mail) => {
  const found = await applicationOfMail(db, mail)
  const isWithdrawn = found !== undefined && found.application.withdrawnAt !== null
  if (!found || (isWithdrawn && mail.payload['isAskedFor'] !== true)) return undefined
  const { application, event } = found
  const current = whenAndWhereOf(event)
  const action = { label: 'Open Your Own Page', path: await ownPagePath(db, application) }
  // The form refused the address because it knows it: the mail says what its owner can do instead.
  if (isWithdrawn) {
    return {
      subject: `Your application for ${event.name}`,
      heading: 'You withdrew your application',
      text: `Hello,\n\nThank you for applying for ${event.name} again. The application that you withdrew is still here: while applications are open, you can apply again with one press on your own page.`,
      action,
      reason: `You get this because someone, hopefully you, applied with this address again. If it was not you, there is nothing to do.`,
    }
  }
  return {
    subject: `We have your application for ${event.name}`,
    heading: 'Your application has arrived',
    text: `Hello,\n\nThank you for applying to be a Beacon for ${event.name}. The organizer will look at your application, and we will write to you when it is decided.`,
    facts: [
      { label: 'When', value: formatEventDate(current) },
      { label: 'Where', value: placeText(current) },
    ],
    closing:
      'On your own page you can see its status, correct what you wrote, or withdraw. The link is yours alone: please do not pass it on.',
    action,
    reason: `You get this because someone, hopefully you, applied with this address. If it was not you, open the page and withdraw.`,
  }
}
