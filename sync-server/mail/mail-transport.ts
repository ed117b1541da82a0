import type { MailMessage } from './mail-content.ts'

/** What a delivery that is written down needs beyond the message. */
export interface HandOver {
  /** Stays the same when the same mail is sent again, so that a mail server can tell; letters, digits, dots and dashes. */
  readonly id: string
  /**
   * Waited for immediately before the last piece of the mail is given away: until then the mail server has not taken it.
   * When it throws the mail is not sent.
   */
  beforeLastPiece(): Promise<void>
  /** Aborted: a mail whose last piece was not given away is not sent any more. */
  readonly signal: AbortSignal
}

/** Hands a mail over. What happens after that is the mail server's business. */
export interface MailTransport {
  /** False where mail is only kept to be looked at, or not even that. */
  readonly delivers: boolean
  /** False where there is no server to hand mail to: mails wait. */
  readonly isSetUp: boolean
  /** @throws MailNotSent, or what `beforeLastPiece` threw */
  send(message: MailMessage, handOver?: HandOver): Promise<void>
  /** Lets connections go; of mails under way only those whose last piece was given away still end. */
  close(): void
}

/**
 * A mail was not handed over, or it is unknown whether it was.
 * - `later`: the mail server has not taken it and may take it another time;
 * - `never`: the mail server has not taken it and will not;
 * - `unknown`: it was given everything and did not answer.
 */
export class MailNotSent extends Error {
  override readonly name = 'MailNotSent'
  readonly outcome: 'later' | 'never' | 'unknown'

  constructor(reason: string, outcome: MailNotSent['outcome']) {
    super(reason)
    this.outcome = outcome
  }
}
