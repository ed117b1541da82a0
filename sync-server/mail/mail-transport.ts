import type { MailMessage } from './mail-content.ts'

export interface HandOver {
  /** The id is the same for every attempt, and made of letters, digits, dots and dashes. */
  readonly id: string
  /**
   * It is awaited immediately before the last piece, without which the mail server takes no mail. A throw stops the
   * mail.
   */
  beforeLastPiece(): Promise<void>
  /** Aborted: no mail is sent whose last piece was not given away. */
  readonly signal: AbortSignal
}

export interface MailTransport {
  /** Without a server mails wait. */
  readonly isSetUp: boolean
  /** @throws MailNotSent, or what `beforeLastPiece` threw */
  send(message: MailMessage, handOver?: HandOver): Promise<void>
  /** Of mails under way those whose last piece was given away still end. */
  close(): void
}

/**
 * - `later`: the mail server has not taken it and may another time;
 * - `never`: it has not taken it and will not;
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
