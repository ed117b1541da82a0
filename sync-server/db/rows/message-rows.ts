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
  /** In whose name an applicant gets it; null for mails about an account. */
  organizerId: number | null
  toName: string
  toAddress: string
  payload: Record<string, unknown>
  state: MailState
  /** Null until it is rendered, when its hold ends. */
  subject: string | null
  sendAt: Date
  /** Set before the last piece is given to the mail server: only its answer then tells whether it has the mail. */
  handedOverAt: Date | null
  sentAt: Date | null
  /** Offers to a mail server; names the attempt that may go on. */
  attempts: number
  retries: number
  /** Without an address or a text. */
  lastError: string | null
  createdAt: Date
  updatedAt: Date
}

export interface PushSubscriptionRow {
  id: number
  userId: number
  /** The session it was made in: they end together. */
  sessionIdHash: string | null
  deviceId: string
  deviceName: string | null
  endpoint: string
  p256dh: string
  auth: string
  /** 'HH:MM' in the device's own zone (IANA name); all three or none. */
  quietFrom: string | null
  quietTo: string | null
  quietZone: string | null
  createdAt: Date
  lastSuccessAt: Date | null
  failureCount: number
}

/** One row for each application. */
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
