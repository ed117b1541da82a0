import type { Host } from '#shared/accounts/host.ts'

/** Always an object: one text with a comma in it would go to two people. */
export interface MailAddress {
  readonly name: string
  readonly address: string
}

export interface MailFact {
  readonly label: string
  readonly value: string
  readonly was?: string
}

export interface MailAttachment {
  /** ASCII, no path. */
  readonly filename: string
  readonly contentType: string
  readonly content: string
}

/** Plain text: no value is markup or becomes a link. */
export interface MailContent {
  readonly to: MailAddress
  readonly subject: string
  /** Above the letter in HTML; the subject without it. */
  readonly heading?: string
  /** Beside the subject in lists of mails; else the letter after its greeting. */
  readonly preview?: string
  /** Paragraphs between blank lines. */
  readonly text: string
  readonly facts?: readonly MailFact[]
  readonly closing?: string
  /** A path of ours, never made of what a user typed. */
  readonly action?: { readonly label: string; readonly path: string }
  /** Small print: why the person gets this, and for which event. */
  readonly reason?: string
  /** In whose name it is sent: named in the small print, and gets answers. */
  readonly host?: Host
  readonly attachments?: readonly MailAttachment[]
  /** Turns this kind of mail off: a GET shows a page, a POST does it (RFC 8058). */
  readonly unsubscribe?: { readonly label: string; readonly path: string }
}

export interface MailMessage {
  readonly to: MailAddress
  readonly replyTo?: MailAddress
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments: readonly MailAttachment[]
  /** In addition to those every mail has. Values of ours alone. */
  readonly headers: Readonly<Record<string, string>>
}

/** A mail's words with absolute links: the source of both parts. */
export interface MailLetter extends Omit<MailContent, 'to' | 'host' | 'action' | 'unsubscribe' | 'attachments'> {
  readonly action?: MailLink
  readonly unsubscribe?: MailLink
  readonly publicOrigin: string
}

export interface MailLink {
  readonly label: string
  readonly address: string
}
