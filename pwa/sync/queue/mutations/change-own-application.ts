import { applicationRecord, type ApplicationFields } from '#shared/applications/application-record.ts'
import { pickApplicationFields } from './apply-as-beacon.ts'
import { defineMutation, valuesOf } from './mutation.ts'

export interface CorrectApplication {
  readonly applicationId: number
  readonly eventId: number
  readonly eventName: string
  /** Opens the application. */
  readonly token: string
  readonly fields: ApplicationFields
}

const aboutOneself = {
  applicationId: 'number',
  eventId: 'number',
  eventName: 'string',
  name: 'string',
  token: 'string',
} as const

const ofOwnApplication = {
  eventOf: ({ eventId }: Pick<WithdrawApplication, 'eventId'>) => eventId,
  lane: ({ applicationId }: Pick<WithdrawApplication, 'applicationId'>) => `own-application:${applicationId}`,
}

export const correctApplication = defineMutation<CorrectApplication>({
  ...ofOwnApplication,
  name: 'correct-application',
  route: 'correctApplication',
  shape: {
    applicationId: 'number',
    eventId: 'number',
    eventName: 'string',
    token: 'string',
    fields: valuesOf(applicationRecord),
  },
  send: ({ token, fields }) => ({ body: { token, ...pickApplicationFields(fields) } }),
  label: ({ fields, eventName }) =>
    `Correct the application of ${fields.firstName} ${fields.lastName} for ${eventName}`,
})

export interface SayComing extends WithdrawApplication {
  readonly coming: boolean
}

export const sayComing = defineMutation<SayComing>({
  ...ofOwnApplication,
  name: 'say-coming',
  route: 'sayComing',
  /** A no alerts the organizer. */
  holdMs: 8000,
  shape: { ...aboutOneself, coming: 'boolean' },
  send: ({ token, coming }) => ({ body: { token, coming } }),
  label: ({ name, eventName, coming }) => `${name} ${coming ? 'will be' : 'can’t be'} at ${eventName}`,
})

export interface WithdrawApplication {
  readonly applicationId: number
  readonly eventId: number
  /** For the label only, as `name`. */
  readonly eventName: string
  readonly name: string
  readonly token: string
}

export const withdrawApplication = defineMutation<WithdrawApplication>({
  ...ofOwnApplication,
  name: 'withdraw-application',
  route: 'withdrawApplication',
  shape: aboutOneself,
  send: ({ token }) => ({ body: { token } }),
  label: ({ name, eventName }) => `Withdraw the application of ${name} for ${eventName}`,
})

export interface SetFace extends WithdrawApplication {
  /** Base64, shrunk. */
  readonly picture: string
  readonly type: string
}

export const setFace = defineMutation<SetFace>({
  ...ofOwnApplication,
  name: 'set-face',
  route: 'setFace',
  shape: { ...aboutOneself, picture: 'string', type: 'string' },
  send: ({ token, picture }) => ({ body: { token, picture } }),
  label: ({ name, eventName }) => `Photo of ${name} for ${eventName}`,
})

export const removeFace = defineMutation<WithdrawApplication>({
  ...ofOwnApplication,
  name: 'remove-face',
  route: 'removeFace',
  shape: aboutOneself,
  send: ({ token }) => ({ body: { token } }),
  label: ({ name, eventName }) => `Remove the photo of ${name} for ${eventName}`,
})

const ownMutations = [correctApplication, sayComing, setFace, removeFace, withdrawApplication]

/** Whether an applicant makes it, about an application that was sent. */
export const isOwnMutation = (name: string): boolean => ownMutations.some((mutation) => mutation.name === name)
