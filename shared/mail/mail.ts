/** What a mail is about; each kind is written in one place. */
export const mailKinds = [
  'acknowledgement',
  'decision',
  'event-changed',
  'event-cancelled',
  'reminder',
  'new-applications',
  'beacon-news',
  'password-reset',
  'verify-email',
  'email-changed',
] as const
export type MailKind = (typeof mailKinds)[number]

/**
 * Where a mail stands: waiting for its hold to end, waiting for its turn or for another try, with the mail server, taken
 * by the mail server, given up (a person may send it again), or of no use any more.
 */
export const mailStates = ['held', 'queued', 'sending', 'sent', 'failed', 'cancelled'] as const
export type MailState = (typeof mailStates)[number]
