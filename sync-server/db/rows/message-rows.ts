import type { Audience } from '#shared/applications/message.ts'
import type { MailKind, MailState } from '#shared/mail/mail.ts'

export interface DemoMailRow {
  id: number
  toName: string
  toAddress: string
  subject: string
  textPart: string
  htmlPart: string
  attachmentNames: string[]
  sentAt: Date
}

export interface MailRow {
  id: number
  kind: MailKind
  /** The same news is sent once. */
  key: string
  eventId: number | null
  applicationId: number | null
  userId: number | null
  /** An applicant gets the mail in this organizer's name; mails about an account have null. */
  organizerId: number | null
  toName: string
  toAddress: string
  payload: Record<string, unknown>
  state: MailState
  /** It is null until the mail is rendered, when its hold ends. */
  subject: string | null
  sendAt: Date
  /** Set before the last piece is given to the mail server: only its answer then tells whether it has the mail. */
  handedOverAt: Date | null
  sentAt: Date | null
  /** Offers to a mail server; names the attempt that may go on. */
  attempts: number
  retries: number
  /** The text contains no address and nothing that a person wrote. */
  lastError: string | null
  createdAt: Date
  updatedAt: Date
}

/** An organizer wrote it to people of an event. */
export interface MessageRow {
  id: number
  eventId: number
  /** Those it goes to; some may be deleted since. */
  applicationIds: readonly (number | string)[]
  audience: Audience
  body: string
  /** It is null when the user is gone. */
  writtenBy: number | null
  deviceName: string | null
  createdAt: Date
  /** Until then it can be taken back. */
  leavesAt: Date
  cancelledAt: Date | null
}

export interface PushSubscriptionRow {
  id: number
  userId: number
  /** It was made in this session, and both end together. */
  sessionIdHash: string | null
  deviceId: string
  deviceName: string | null
  endpoint: string
  p256dh: string
  auth: string
  /** Times are 'HH:MM' in the device's own zone (IANA name). Either all three are set or none. */
  quietFrom: string | null
  quietTo: string | null
  quietZone: string | null
  /** Its alerts name the person they are about. */
  showNames: boolean
  createdAt: Date
  lastSuccessAt: Date | null
  failureCount: number
}

/** Each application has one row. */
export interface ApplicantPhoneRow {
  id: number
  applicationId: number
  endpoint: string
  p256dh: string
  auth: string
  createdAt: Date
  lastSuccessAt: Date | null
  failureCount: number
}

export interface VapidKeysRow {
  id: true
  publicKey: string
  privateKey: string
  createdAt: Date
}
