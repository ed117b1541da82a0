import { writeAcknowledgement } from '../applications/mails/acknowledgement.ts'
import { writeBeaconNews } from '../applications/mails/beacon-news.ts'
import { writeDecision } from '../applications/mails/decision.ts'
import { writeEmailChanged } from '../accounts/mails/email-changed.ts'
import { writeEventCancelled } from '../applications/mails/event-cancelled.ts'
import { writeEventChanged } from '../applications/mails/event-changed.ts'
import { writeNewApplications } from '../applications/mails/new-applications.ts'
import { writePasswordReset } from '../accounts/mails/password-reset.ts'
import { writeReminder } from '../applications/mails/reminder.ts'
import { writeVerifyEmail } from '../accounts/mails/verify-email.ts'
import type { MailRenderers } from '../mail/mail-renderer.ts'

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
