import * as z from 'zod'
import { mailKinds, mailStates } from '#shared/mail/mail.ts'
import { idInPath } from '../events/event-calls.ts'
import type { Section } from '../contract/route.ts'

/** Specification, section 5. */
const testEmailMissing = 'Please enter an email address to send the test email to.'
/** Specification, section 8. */
export const testEmailFailed = 'Failed to send test email'

/** For the organizer; never with its text. */
const eventMail = z.strictObject({
  id: z.int(),
  /** Null when it is not about one applicant. */
  applicationId: z.int().nullable(),
  kind: z.enum(mailKinds),
  /** An approval withdrawn is `revoked`. Null for other kinds. */
  decision: z.enum(['approved', 'rejected', 'revoked']).nullable(),
  /** A name; the address without one. */
  recipient: z.string(),
  /** As sent; null before. */
  subject: z.string().nullable(),
  state: z.enum(mailStates),
  /** The hold's end, or the next attempt. */
  sendAt: z.string(),
  sentAt: z.string().nullable(),
  /** Of the last failure; null without one. */
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
  /** By which `sendAt` goes. */
  at: z.string(),
})
export type MailLog = z.output<typeof mailLog>

/** Mails about an agreement are not a user's choice. */
const mailPreferences = z.strictObject({
  /** Where no device of the user alerts them. */
  newApplications: z.boolean(),
})

export const mailRoutes = {
  sendTestEmail: {
    summary: 'Send the approval mail with sample values to an address; three per hour',
    access: 'user',
    body: z.strictObject({
      email: z
        .string({ error: testEmailMissing })
        .trim()
        .min(1, testEmailMissing)
        .max(254)
        .pipe(z.email('Please enter a valid email address')),
    }),
    answer: z.strictObject({ message: z.string() }),
  },
  listEventMails: {
    summary:
      'The mails of an event, newest first; `before` an id for those before it, `applicationId` for one applicant',
    access: 'owner',
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
