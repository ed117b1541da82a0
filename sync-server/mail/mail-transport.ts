import type { MailMessage } from './mail-message.ts'

/** Hands a mail over. What happens after that is the mail server's business. */
export interface MailTransport {
  /** False where mail is only kept to be looked at, or not even that. */
  readonly delivers: boolean
  /** @throws MailNotSent */
  send(message: MailMessage): Promise<void>
  /** Lets connections go. */
  close(): void
}

/** A mail was not handed over. `isFinal`: the mail server will never take this one, so trying again is of no use. */
export class MailNotSent extends Error {
  override readonly name = 'MailNotSent'
  readonly isFinal: boolean

  constructor(reason: string, isFinal: boolean) {
    super(reason)
    this.isFinal = isFinal
  }
}
