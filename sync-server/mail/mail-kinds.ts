import type { Knex } from 'knex'
import type { MailKind } from '#shared/mail/mail.ts'
import type { MailRow } from '../db/tables.ts'
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
import type { MailContent } from './mail-message.ts'

/** What a mail may need to know beyond the rows. */
export interface MailSite {
  readonly publicOrigin: string
  readonly now: Date
}

/**
 * Writes a mail from the rows as they are when its hold has ended. Undefined: there is no news any more, nothing is sent.
 */
export type MailRenderer = (db: Knex, mail: MailRow, site: MailSite) => Promise<Omit<MailContent, 'to'> | undefined>

/** Who writes which kind of mail. */
export const mailRenderers: Partial<Readonly<Record<MailKind, MailRenderer>>> = {
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
