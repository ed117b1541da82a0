import { findLinkForMail } from '../account-links.ts'
import type { MailRenderer } from '../../mail/mail-renderer.ts'

/**
 * The link that confirms an address. Every word is ours: until it is opened, whoever reads it may be a stranger whose
 * address somebody else typed. Nothing once it has run out, was used or replaced.
 */
export const writeVerifyEmail: MailRenderer = async (db, mail, { now }) => {
  const found = await findLinkForMail(db, mail.payload['linkId'], now)
  if (!found) return undefined
  const action = { label: 'Confirm Email', path: `/auth#verify=${found.token}` }
  if (found.link.purpose === 'change') {
    return {
      subject: 'Please confirm your new email',
      heading: 'Please confirm your new email',
      text: 'Hello,\n\nThis address was given as the new email of a Beaconry account. Press the button to confirm that it is yours. It works once, within 24 hours; until then nothing changes.',
      action,
      reason:
        'You get this because somebody gave this address for their account. If it was not you, do nothing: the account does not get it.',
    }
  }
  return {
    subject: 'Please confirm your email',
    heading: 'Please confirm your email',
    text: 'Hello,\n\nThis address was given for a Beaconry account. Press the button to confirm that it is yours. It works once, within seven days. Everything else works already.',
    action,
    reason:
      'You get this because somebody signed up with this address. If it was not you, do nothing: an address that nobody confirms gets no news of ours.',
  }
}
