/** A person's address. Always an object: one text with a comma in it would go to two people. */
export interface MailAddress {
  readonly name: string
  readonly address: string
}

/** One thing a mail tells, such as when or where; `was` is what stood there before. */
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

/** What is written. Every text in it stays text: no value is markup, and none becomes a link. */
export interface MailContent {
  readonly to: MailAddress
  readonly subject: string
  /** Stands above the letter in HTML; the subject without it. */
  readonly heading?: string
  /** What a list of mails shows beside the subject; without it the letter after its greeting. */
  readonly preview?: string
  /** The letter, as fillTemplate and its kind make it: paragraphs between blank lines. */
  readonly text: string
  /** Listed below the letter. */
  readonly facts?: readonly MailFact[]
  /** Goes on below the facts. */
  readonly closing?: string
  /** The one thing to press. A path of ours below the public origin, never made of what a user typed. */
  readonly action?: { readonly label: string; readonly path: string }
  /** Small print: why the person gets this, and for which event. */
  readonly reason?: string
  readonly attachments?: readonly MailAttachment[]
  /** Where this kind of mail is turned off: a GET shows a page, a POST does it (RFC 8058). */
  readonly unsubscribe?: { readonly label: string; readonly path: string }
}

/** A mail as it is handed over. */
export interface MailMessage {
  readonly to: MailAddress
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments: readonly MailAttachment[]
  /** To be sent along with those every mail has. Values of ours alone. */
  readonly headers: Readonly<Record<string, string>>
}

/** A mail's words with its links made whole: what both parts are written from. */
export interface MailLetter extends Omit<MailContent, 'to' | 'action' | 'unsubscribe' | 'attachments'> {
  readonly action?: MailLink
  readonly unsubscribe?: MailLink
  readonly publicOrigin: string
}

export interface MailLink {
  readonly label: string
  readonly address: string
}
