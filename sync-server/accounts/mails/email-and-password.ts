import { formatDateRange } from '#shared/time/date-range.ts'
import { greeting, type MailRenderer } from '../../mail/mail-message.ts'
import { findLinkForMail } from '../account-links.ts'
import { nameInMail } from '../account-mails.ts'
import { findUser } from '../user-store.ts'

const asking = {
  verify: {
    subject: 'Please confirm your email',
    text: 'Hello,\n\nThis address was given for a Beaconry account. Press the button to confirm that it is yours. It works once, within seven days. Everything else works already.',
    reason:
      'You get this because this address was used to sign up. If it was not you, do nothing: we send no news to an address that is not confirmed.',
  },
  change: {
    subject: 'Please confirm your new email',
    text: 'Hello,\n\nThis address was given as the new email of a Beaconry account. Press the button to confirm that it is yours. It works once, within 24 hours; until then nothing changes.',
    reason:
      'You get this because this address was given for an account. If it was not you, do nothing: the account does not get it.',
  },
  contact: {
    subject: 'Please confirm your contact address',
    text: 'Hello,\n\nThis address was given on Beaconry as the one that guests and applicants of events may write to. Press the button to confirm that you read it. It works once, within 24 hours; until then it is shown to no one.',
    reason:
      'You get this because this address was given for an organizer’s events. If it was not you, do nothing: it is not shown.',
  },
}

/**
 * Every word is ours: until the link is opened, its reader may be a stranger. Nothing once the link has run out, was used or
 * replaced.
 */
export const writeVerifyEmail: MailRenderer = async (db, mail, { now }) => {
  const found = await findLinkForMail(db, mail.payload['linkId'], now)
  if (!found) return undefined
  const { purpose } = found.link
  if (purpose === 'reset') return undefined
  return { ...asking[purpose], action: { label: 'Confirm Email', path: `/auth#verify=${found.token}` } }
}

/** Nothing once the link has run out, was used or replaced. */
export const writePasswordReset: MailRenderer = async (db, mail, { now }) => {
  const found = await findLinkForMail(db, mail.payload['linkId'], now)
  const user = found && (await findUser(db, found.link.userId))
  if (!user) return undefined
  return {
    subject: 'Choose a new password',
    text: `${greeting(nameInMail(user))}\n\nSomeone, hopefully you, has forgotten the password of your Beaconry account. Press the button to choose a new one. It works once, within one hour, and then signs out every other device.`,
    action: { label: 'Choose a New Password', path: `/auth#reset=${found.token}` },
    reason:
      'You get this because a new password was requested with your address. If it was not you, do nothing: your password stays as it is.',
  }
}

const reason = 'You get this because this is, or was until now, the email of a Beaconry account.'

const contact = {
  'contact-asked': {
    subject: 'A new contact address was requested',
    text: 'Someone, hopefully you, wants guests and applicants of your events to write to another address. It is shown, and gets the answers to our emails, once its reader has confirmed it; until then everything stays as it is.\n\nIf it was not you, choose a new password now. That signs out every device and calls the change off.',
  },
  'contact-done': {
    subject: 'Your contact address was changed',
    text: 'The address that guests and applicants of your events can write to was changed. Your profile shows the present one.\n\nIf it was not you, choose a new password now. That signs out every device and takes the address off your events.',
  },
}

/** Goes to the present or former address. It does not name the new one, which is none of a stranger's business. */
export const writeEmailChanged: MailRenderer = async (db, mail, { greetedAs }) => {
  const user = mail.userId === null ? undefined : await findUser(db, mail.userId)
  if (!user) return undefined
  const { step } = mail.payload
  if (step === 'contact-asked' || step === 'contact-done') {
    const { subject, text } = contact[step]
    const action = { label: 'Choose a New Password', path: '/auth#forgot' }
    return { subject, text: `${greeting(nameInMail(user))}\n\n${text}`, action, reason }
  }
  if (step === 'asked') {
    return {
      subject: 'A new email was requested',
      text: `${greeting(nameInMail(user))}\n\nSomeone, hopefully you, wants to give your Beaconry account another email. It changes when the new address is confirmed; until then everything stays as it is.\n\nIf it was not you, choose a new password now. That signs out every device and calls the change off.`,
      action: { label: 'Choose a New Password', path: '/auth#forgot' },
      reason,
    }
  }
  return {
    subject: 'Your email was changed',
    text: `${greeting(greetedAs)}\n\nYour Beaconry account has another email now. You sign in with the new one; your password and your devices stay as they are. We no longer send email here.\n\nIf it was not you, write to us at once, from this address.`,
    action: { label: 'Contact Us', path: '/contact' },
    reason,
  }
}

export const writePasswordChanged: MailRenderer = async (db, mail) => {
  const user = mail.userId === null ? undefined : await findUser(db, mail.userId)
  if (!user) return undefined
  return {
    subject: 'Your password was changed',
    text: `${greeting(nameInMail(user))}\n\nYour Beaconry account has a new password. Every other device is signed out.\n\nIf it was not you, choose another password now. That signs out every device.`,
    action: { label: 'Choose a New Password', path: '/auth#forgot' },
    reason: 'You get this because this is the email of a Beaconry account.',
  }
}

/** Writes nothing once the account is open again. */
export const writeAccountClosed: MailRenderer = async (db, mail) => {
  const user = mail.userId === null ? undefined : await findUser(db, mail.userId)
  if (!user || user.closedAt?.toISOString() !== mail.payload['closedAt']) return undefined
  return {
    subject: 'We have closed your account',
    text: `${greeting(nameInMail(user))}\n\nNo one can sign in to your Beaconry account now, and guests do not see its events. Nothing is deleted: your events and their applications are still there.\n\nIf you think that we are wrong, write to us from this address: we can open the account again.`,
    action: { label: 'Contact Us', path: '/contact' },
    reason: 'You get this because this is the email of a Beaconry account.',
  }
}

/** Writes nothing of a coming deletion once the owner keeps the account. */
export const writeAccountDeletion: MailRenderer = async (db, mail, { greetedAs }) => {
  if (mail.payload['step'] === 'done') {
    return {
      subject: 'Your account was deleted',
      text: `${greeting(greetedAs)}\n\nYour Beaconry account is deleted, as you asked, with your events and everything that was kept about you. The applicants of upcoming events have been notified that these are cancelled.\n\nThis is our last email to you.`,
      reason: 'You get this because this was the email of a Beaconry account.',
    }
  }
  const user = mail.userId === null ? undefined : await findUser(db, mail.userId)
  if (user && mail.payload['step'] === 'kept') {
    return {
      subject: 'Your account stays',
      text: `${greeting(nameInMail(user))}\n\nYour Beaconry account will not be deleted: you chose to keep it. Your events and everything else are still there.\n\nIf it was not you, choose a new password now. That signs out every device.`,
      action: { label: 'Choose a New Password', path: '/auth#forgot' },
      reason: 'You get this because this is the email of a Beaconry account.',
    }
  }
  if (!user || user.deletesAt === null) return undefined
  const date = user.deletesAt.toISOString().slice(0, 10)
  const day = formatDateRange(date, date)
  return {
    subject: `Your account will be deleted on ${day}`,
    heading: 'Your account will be deleted',
    text: `${greeting(nameInMail(user))}\n\nYour Beaconry account and your events will be deleted on ${day}, as you asked. Until then everything works as before. If you change your mind, sign in and choose Keep My Account.\n\nIf it was not you, keep the account and choose a new password.`,
    action: { label: 'Keep My Account', path: '/account-settings' },
    reason: 'You get this because this is the email of a Beaconry account.',
  }
}
