import { applicationTarget, defineMutation, eventTarget } from './mutation.ts'

export interface RetryMail {
  readonly mailId: number
  readonly eventId: number
  /** It is null when the mail is about no application. */
  readonly applicationId: number | null
  readonly name: string
}

/** The new version of the mail's application or event settles it. */
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
  label: ({ name }) => `Send the email to ${name} again`,
})
