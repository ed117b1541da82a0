import { applicationTarget, defineMutation, eventTarget } from './mutation.ts'

export interface RetryMail {
  readonly mailId: number
  readonly eventId: number
  /** Whose application the mail is about; null when it is about none. */
  readonly applicationId: number | null
  /** The recipient, for the label only. */
  readonly name: string
}

/** Sends a mail that failed once more. A mail is no document of the replica: what its application or event gets from the server settles it. */
export const retryMail = defineMutation<RetryMail>({
  name: 'retry-mail',
  route: 'retryMail',
  isNeverOfferedAgain: true,
  shape: {
    mailId: 'number',
    eventId: 'number',
    name: 'string',
    applicationId: (value) => value === null || Number.isSafeInteger(value),
  },
  eventOf: ({ eventId }) => eventId,
  lane: ({ mailId }) => `mail:${mailId}`,
  send: ({ mailId }) => ({ params: { id: mailId } }),
  target: ({ applicationId, eventId }) =>
    applicationId === null ? eventTarget(eventId) : applicationTarget(applicationId),
  label: ({ name }) => `Send the e-mail to ${name} again`,
})
