import { applicationTarget, defineMutation } from './mutation.ts'

export interface CorrectEmail {
  readonly applicationId: number
  readonly eventId: number
  readonly name: string
  readonly email: string
}

/** It leaves in the lane of decisions, so that the mail of a later one goes to the new address. */
export const correctEmail = defineMutation<CorrectEmail>({
  name: 'correct-email',
  route: 'correctEmail',
  shape: { applicationId: 'number', eventId: 'number', name: 'string', email: 'string' },
  eventOf: ({ eventId }) => eventId,
  lane: ({ applicationId }) => `application:${applicationId}`,
  send: ({ applicationId, email }) => ({ params: { beaconId: applicationId }, body: { email } }),
  fold({ applications }, { applicationId, email }) {
    const document = applications.get(String(applicationId))
    if (document) applications.set(document.key, { ...document, email })
  },
  target: ({ applicationId }) => applicationTarget(applicationId),
  written: ({ email }) => ({ Email: email }),
  label: ({ name }) => `Correct the email address of ${name}`,
})
