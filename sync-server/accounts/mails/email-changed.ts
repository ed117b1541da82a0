import { nameInMail } from '../account-mails.ts'
import { findUser } from '../user-store.ts'
import type { MailRenderer } from '../../mail/mail-renderer.ts'
import { greeting } from '../../mail/greeting.ts'

const reason = 'You get this because this is, or was until now, the email of a Beaconry account.'

/**
 * Tells the address an account has, or had, that another one was asked for, or has taken its place. It does not name the
 * new one: that is what somebody typed, and none of a stranger's business.
 */
export const writeEmailChanged: MailRenderer = async (db, mail) => {
  const user = mail.userId === null ? undefined : await findUser(db, mail.userId)
  if (!user) return undefined
  if (mail.payload['step'] === 'asked') {
    return {
      subject: 'Another email was asked for',
      heading: 'Another email was asked for',
      text: `${greeting(nameInMail(user))}\n\nSomebody, hopefully you, wants to give your Beaconry account another email. It changes when the new address is confirmed; until then everything stays as it is.\n\nIf it was not you, choose a new password now. That signs out every device and calls the change off.`,
      action: { label: 'Choose a New Password', path: '/auth#forgot' },
      reason,
    }
  }
  return {
    subject: 'Your email was changed',
    heading: 'Your email was changed',
    text: `${greeting(mail.toName)}\n\nYour Beaconry account has another email now. You sign in with the new one; your password and your devices stay as they are. Mail of ours no longer comes here.\n\nIf it was not you, write to us at once, from this address.`,
    action: { label: 'Whom to Write To', path: '/contact' },
    reason,
  }
}
