import { findLinkForMail } from '../account-links.ts'
import { nameInMail } from '../account-mails.ts'
import { findUser } from '../user-store.ts'
import type { MailRenderer } from '../../mail/mail-renderer.ts'
import { greeting } from '../../mail/greeting.ts'

/** The link for a new password; nothing once it has run out, was used, or a newer one was asked for. */
export const writePasswordReset: MailRenderer = async (db, mail, { now }) => {
  const found = await findLinkForMail(db, mail.payload['linkId'], now)
  const user = found && (await findUser(db, found.link.userId))
  if (!user) return undefined
  return {
    subject: 'Choose a new password',
    heading: 'Choose a new password',
    text: `${greeting(nameInMail(user))}\n\nSomebody, hopefully you, has forgotten the password of your Beaconry account. Press the button to choose a new one. It works once, within one hour, and then signs out every other device.`,
    action: { label: 'Choose a New Password', path: `/auth#reset=${found.token}` },
    reason:
      'You get this because a new password was asked for with your address. If it was not you, do nothing: your password stays as it is.',
  }
}
