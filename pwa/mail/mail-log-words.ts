import type { EventMail, MailLog } from '#shared/mail/mail-calls.ts'
import { formatMoment } from '../ui/page/local-time.ts'

const titles: Record<Exclude<EventMail['kind'], 'decision'>, string> = {
  acknowledgement: 'Application received',
  'event-changed': 'Event changed',
  'event-cancelled': 'Event cancelled',
  'event-reinstated': 'Event takes place after all',
  'event-taken-down': 'Event taken down',
  reminder: 'Reminder',
  'new-applications': 'New applications',
  'beacon-news': 'News about your Beacons',
  message: 'Your message',
  'password-reset': 'Password reset',
  'verify-email': 'Email address to confirm',
  'email-changed': 'Email address changed',
  'password-changed': 'Password changed',
  'account-deletion': 'Account deletion',
  'account-closed': 'Account closed',
}
const decisionTitles = { approved: 'Approval', rejected: 'Rejection', revoked: 'Approval withdrawn' } as const

export function mailTitle({ kind, decision }: Pick<EventMail, 'kind' | 'decision'>): string {
  return kind === 'decision' ? decisionTitles[decision ?? 'approved'] : titles[kind]
}

/** Returns null when nothing on this page stops it. */
export function whatStopsIt({ kind }: Pick<EventMail, 'kind'>): string | null {
  if (kind === 'decision') return 'Changing the decision stops it.'
  if (kind === 'event-changed') return 'Further edits go into the same email.'
  if (kind === 'message') return 'Taking the message back stops it.'
  if (kind === 'reminder') return 'Revoking the approval stops it.'
  return null
}

const cancelled: Partial<Record<EventMail['kind'], string>> = {
  decision: 'the decision changed before it was sent, or was known already.',
  'event-changed': 'the event was changed again, or changed back, before it was sent.',
  'event-reinstated': 'the event was cancelled again before it was sent.',
  message: 'it was taken back, or no longer meant this person.',
  reminder: 'the event moved, or this person is no longer a Beacon.',
  'event-taken-down': 'the event was put back before it was sent.',
  'new-applications': 'they were seen before it was sent.',
}

const secondMs = 1000
const minuteMs = 60 * secondMs

/**
 * @param leftMs 0 or less: it is due
 * @param again it was tried before
 */
export function leavesIn(leftMs: number, sendAt: string, now: Date, again = false): string {
  const leaves = again ? 'Next try' : 'Leaves'
  if (leftMs <= 0) return again ? 'Trying again now' : 'Leaving now'
  if (leftMs < 100 * secondMs) return `${leaves} in ${Math.ceil(leftMs / secondMs)} s`
  if (leftMs < 60 * minuteMs) return `${leaves} in ${Math.ceil(leftMs / minuteMs)} min`
  return `${leaves} ${formatMoment(sendAt, now)}`
}

export function isWaiting({ state }: Pick<EventMail, 'state'>, delivery: MailLog['delivery']): boolean {
  return (state === 'held' || state === 'queued') && delivery !== 'none'
}

export function mailLine(mail: EventMail, delivery: MailLog['delivery'], now: Date): string {
  switch (mail.state) {
    case 'sent': {
      const at = formatMoment(mail.sentAt ?? mail.sendAt, now)
      return delivery === 'demo' ? `Written ${at}, not delivered` : `Sent ${at}`
    }
    case 'failed':
      return `Failed. ${mail.reason ?? 'It could not be sent.'}`
    case 'cancelled':
      return `Cancelled: ${cancelled[mail.kind] ?? 'there was nothing new to say when it was to be sent.'}`
    case 'sending':
      return 'On its way'
    case 'held':
    case 'queued':
      return 'Waits for a mail server'
  }
}

export function deliveryLine(delivery: MailLog['delivery']): string | null {
  if (delivery === 'demo')
    return 'This demo delivers no email. What it would have sent is shown at /mail-preview on the machine it runs on.'
  return delivery === 'none' ? 'No mail server is set up here, so no email is delivered.' : null
}
