import { writeAcknowledgement } from './kinds/acknowledgement.ts'
import { writeBeaconNews } from './kinds/beacon-news.ts'
import { writeDecision } from './kinds/decision.ts'
import { writeEmailChanged } from './kinds/email-changed.ts'
import { writeEventCancelled } from './kinds/event-cancelled.ts'
import { writeEventChanged } from './kinds/event-changed.ts'
import { writeNewApplications } from './kinds/new-applications.ts'
import { writePasswordReset } from './kinds/password-reset.ts'
import { writeReminder } from './kinds/reminder.ts'
import { writeVerifyEmail } from './kinds/verify-email.ts'
import type { MailRenderers } from './mail-renderer.ts'

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
