import { writeAcknowledgement } from '../applications/mails/acknowledgement.ts'
import { writeBeaconNews, writeNewApplications } from '../applications/mails/organizer-mails.ts'
import { writeDecision } from '../applications/mails/decision.ts'
import { writeEmailChanged, writePasswordReset, writeVerifyEmail } from '../accounts/mails/email-and-password.ts'
import { writeEventCancelled, writeEventChanged } from '../applications/mails/event-mails.ts'
import { writeReminder } from '../applications/mails/reminders.ts'
import type { MailRenderers } from '../mail/mail-message.ts'

/** Who writes which kind of mail. */
export const mailRenderers: MailRenderers = {
  acknowledgement: writeAcknowledgement,
  decision: writeDecision,
  'event-changed': writeEventChanged,
  'event-cancelled': writeEventCancelled,
  reminder: writeReminder,
  'new-applications': writeNewApplications,
  'beacon-news': writeBeaconNews,
  'password-reset': writePasswordReset,
  'verify-email': writeVerifyEmail,
  'email-changed': writeEmailChanged,
}
