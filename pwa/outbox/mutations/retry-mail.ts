import { hasShape } from './args-shape.ts'
import type { Mutation } from './mutation.ts'

export interface RetryMail {
  readonly mailId: number
  readonly eventId: number
  /** Whose application the mail is about; null when it is about nobody's. */
  readonly applicationId: number | null
  /** The recipient, for the label only. */
  readonly name: string
}

/** Sends a mail that failed once more. A mail is no document of the replica: what its application or event gets from the server settles it. */
export const retryMail: Mutation<RetryMail> = {
  name: 'retry-mail',
  argsVersion: 1,
  route: 'retryMail',
  holdMs: 0,
  isNeverOfferedAgain: true,
  accepts: (args) => hasShape(args, { mailId: 'number', eventId: 'number', name: 'string' }),
  eventOf: ({ eventId }) => eventId,
  lane: ({ mailId }) => `mail:${mailId}`,
  send: ({ mailId }) => ({ params: { id: mailId } }),
  fold() {},
  target: ({ applicationId, eventId }) =>
    applicationId === null
      ? { collection: 'events', key: String(eventId), effect: 'change' }
      : { collection: 'applications', key: String(applicationId), effect: 'change' },
  label: ({ name }) => `Send the e-mail to ${name} again`,
  upcast: (args) => args as RetryMail,
}
