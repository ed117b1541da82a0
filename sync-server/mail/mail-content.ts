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
  /** The name is ASCII and has no path. */
  readonly filename: string
  readonly contentType: string
  readonly content: string
}

/** Plain text: no value is markup or becomes a link. */
export interface MailContent {
  readonly to: MailAddress
  readonly subject: string
  /** It is above the letter in HTML; the default is the subject. */
  readonly heading?: string
  /** Lists of mails show it next to the subject; without it they show the letter after its greeting. */
  readonly preview?: string
  /** Blank lines separate paragraphs. */
  readonly text: string
  readonly facts?: readonly MailFact[]
  readonly closing?: string
  /** The path is one of ours, and never made of what a user typed. */
  readonly action?: { readonly label: string; readonly path: string }
  /** The small print says why the person gets this, and for which event. */
  readonly reason?: string
  /** The mail is sent in this host's name. The small print names them, and they get the answers. */
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
  /** These come in addition to those that every mail has, and contain values of ours alone. */
  readonly headers: Readonly<Record<string, string>>
}

/** Holds a mail's words with absolute links. Both parts are made from it. */
export interface MailLetter extends Omit<MailContent, 'to' | 'host' | 'action' | 'unsubscribe' | 'attachments'> {
  readonly action?: MailLink
  readonly unsubscribe?: MailLink
  readonly publicOrigin: string
}

export interface MailLink {
  readonly label: string
  readonly address: string
}
