import { isAddressed } from '#shared/applications/message.ts'
import { messageText } from '#shared/mail/message-text.ts'
import { cutLetter } from '#shared/mail/mail-size.ts'
import type { MailRenderer } from '../../mail/mail-message.ts'
import { ownPagePath } from '../application-token.ts'
import { findMessage } from '../message-store.ts'
import { applicationOfMail } from './application-of-mail.ts'
import { eventNameInMail } from '#shared/mail/organizer-words.ts'

const maxLetterBytes = 12_000

/** Nothing leaves once the message was taken back or its reader is not addressed any more. */
export const writeMessage: MailRenderer = async (db, mail, { greetedAs }) => {
  const message = await findMessage(db, Number(mail.payload['messageId']))
  const found = await applicationOfMail(db, mail)
  if (!found || !message || message.cancelledAt !== null) return undefined
  const { application, storedEvent, organizerIsConfirmed } = found
  if (!isAddressed(application, message.audience, storedEvent, message.createdAt)) return undefined
  const name = eventNameInMail(storedEvent.name)
  const isBeacon = application.status === 'approved'
  return {
    subject: `A message about ${name}`,
    heading: `A message from the organizer of ${name}`,
    text: cutLetter(messageText(message.body, greetedAs, storedEvent, organizerIsConfirmed), maxLetterBytes),
    action: { label: 'Open Your Own Page', path: await ownPagePath(db, application) },
    reason: isBeacon
      ? `You get this because you are a Beacon for ${name}.`
      : `You get this because you applied to be a Beacon for ${name}.`,
  }
}
