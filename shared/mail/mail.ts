export const mailKinds = [
  'acknowledgement',
  'decision',
  'event-changed',
  'event-cancelled',
  'event-reinstated',
  'event-taken-down',
  'reminder',
  'new-applications',
  'beacon-news',
  'message',
  'password-reset',
  'verify-email',
  'email-changed',
  'password-changed',
  'account-deletion',
  'account-closed',
] as const
export type MailKind = (typeof mailKinds)[number]

/**
 * Before its hold's end; before its turn or another try; with the mail server; taken by it; given up (a person may send
 * it again); of no use any more.
 */
export const mailStates = ['held', 'queued', 'sending', 'sent', 'failed', 'cancelled'] as const
export type MailState = (typeof mailStates)[number]
