import * as z from 'zod'
import { mailKinds, mailStates } from '#shared/mail/mail.ts'
import { idInPath } from '../events/event-calls.ts'
import type { Section } from '../contract/route.ts'
import { emailAddress } from '../text/email-address.ts'

/** The specification has this text (section 5). */
const testEmailMissing = 'Please enter an email address to send the test email to.'
/** The specification has this text (section 8). */
export const testEmailFailed = 'Failed to send test email'

/** The organizer sees this; a mail's text is never part of it. */
const eventMail = z.strictObject({
  id: z.int(),
  /** It is null when the mail is not about one applicant. */
  applicationId: z.int().nullable(),
  kind: z.enum(mailKinds),
  /** `revoked` means that an approval was withdrawn. Other kinds have null. */
  decision: z.enum(['approved', 'rejected', 'revoked']).nullable(),
  /** This is the applicant's name, or the address if there is none. */
  recipient: z.string(),
  /** The subject is known once the mail is sent; it is null before. */
  subject: z.string().nullable(),
  state: z.enum(mailStates),
  /** The hold ends, or the next attempt begins, at this time. */
  sendAt: z.string(),
  sentAt: z.string().nullable(),
  /** Says why it failed last; null means that it did not. */
  reason: z.string().nullable(),
  createdAt: z.string(),
})
export type EventMail = z.output<typeof eventMail>

export const longestMailPage = 100

const mailLog = z.strictObject({
  mails: z.array(eventMail),
  counts: z.strictObject({
    held: z.int(),
    queued: z.int(),
    sending: z.int(),
    sent: z.int(),
    failed: z.int(),
    cancelled: z.int(),
  }),
  /** `demo` keeps mails to be looked at, `none` has no mail server. */
  delivery: z.enum(['smtp', 'demo', 'none']),
  /** This is the server's clock, by which `sendAt` is to be read. */
  at: z.string(),
})
export type MailLog = z.output<typeof mailLog>

/** Mails about an agreement are not a user's choice. */
const mailPreferences = z.strictObject({
  /** Mails are sent only where no device of the user alerts them. */
  newApplications: z.boolean(),
})

export const mailRoutes = {
  sendTestEmail: {
    summary: 'Send the approval mail with sample values to an address; three per hour',
    access: 'user',
    body: z.strictObject({
      email: z.string({ error: testEmailMissing }).trim().min(1, testEmailMissing).pipe(emailAddress),
    }),
    answer: z.strictObject({ message: z.string() }),
  },
  listEventMails: {
    summary:
      'The mails of an event, newest first; `before` an id for those before it, `applicationId` for one applicant',
    access: 'owner',
    team: 'reviewer',
    query: z.strictObject({
      applicationId: idInPath.optional(),
      before: idInPath.optional(),
      limit: z.coerce.number().int().min(1).max(longestMailPage).optional(),
    }),
    answer: mailLog,
  },
  retryMail: {
    summary: 'Sends a failed mail once more. Any other mail is refused with `not_allowed_now`, which shows where it is',
    access: 'owner',
    team: 'manager',
    answer: eventMail,
    queueable: true,
  },
  getMailPreferences: { summary: 'Which mails the user wants', access: 'user', answer: mailPreferences },
  setMailPreferences: {
    summary: 'Choose which mails the user wants',
    access: 'user',
    body: mailPreferences,
    answer: mailPreferences,
  },
} as const satisfies Section
