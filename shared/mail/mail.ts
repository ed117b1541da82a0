export const mailKinds = [
  'acknowledgement',
  'decision',
  'event-changed',
  'event-cancelled',
  'event-taken-down',
  'reminder',
  'new-applications',
  'beacon-news',
  'password-reset',
  'verify-email',
  'email-changed',
  'password-changed',
  'account-deletion',
] as const
export type MailKind = (typeof mailKinds)[number]

/**
 * Before its hold's end; before its turn or another try; with the mail server; taken by it; given up (a person may send
 * it again); of no use any more.
 */
export const mailStates = ['held', 'queued', 'sending', 'sent', 'failed', 'cancelled'] as const
export type MailState = (typeof mailStates)[number]
