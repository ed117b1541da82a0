import { applicationRecord, type ApplicationFields } from '#shared/applications/application-record.ts'
import { timings } from '../../../browser/timings.ts'
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

/** @param what A refused change holds up later ones about the same, and nothing else: no one is kept from checking in. */
const ofOwn = (what: 'application' | 'coming' | 'arrival' | 'face') =>
  ({
    isOwn: true,
    eventOf: ({ eventId }: Pick<WithdrawApplication, 'eventId'>) => eventId,
    lane: ({ applicationId }: Pick<WithdrawApplication, 'applicationId'>) => `own-${what}:${applicationId}`,
  }) as const

export const correctApplication = defineMutation<CorrectApplication>({
  ...ofOwn('application'),
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
  ...ofOwn('coming'),
  name: 'say-coming',
  route: 'sayComing',
  /** Declining notifies the organizer, so an answer can be undone for a moment. */
  holdMs: timings.undoMs,
  shape: { ...aboutOneself, coming: 'boolean' },
  send: ({ token, coming }) => ({ body: { token, coming } }),
  label: ({ name, eventName, coming }) => `${name} ${coming ? 'will be' : 'can’t be'} at ${eventName}`,
})

export interface CheckIn extends WithdrawApplication {
  /** When it was pressed, by the server's clock (ISO): it may leave hours later. */
  readonly seenAt: string
}

export const checkIn = defineMutation<CheckIn>({
  ...ofOwn('arrival'),
  name: 'check-in',
  route: 'checkIn',
  holdMs: timings.undoMs,
  shape: { ...aboutOneself, seenAt: 'instant' },
  send: ({ token, seenAt }) => ({ body: { token, seenAt } }),
  label: ({ name, eventName }) => `${name} is at ${eventName}`,
})

export interface WithdrawApplication {
  readonly applicationId: number
  readonly eventId: number
  /** The label shows it, as it does `name`. */
  readonly eventName: string
  readonly name: string
  readonly token: string
}

export const withdrawApplication = defineMutation<WithdrawApplication>({
  ...ofOwn('application'),
  name: 'withdraw-application',
  route: 'withdrawApplication',
  shape: aboutOneself,
  send: ({ token }) => ({ body: { token } }),
  label: ({ name, eventName }) => `Withdraw the application of ${name} for ${eventName}`,
})

export interface ApplyAgain extends WithdrawApplication {
  /** When it was pressed, by the server's clock (ISO): it may leave hours later. */
  readonly finishedAt: string
}

export const applyAgain = defineMutation<ApplyAgain>({
  ...ofOwn('application'),
  name: 'apply-again',
  route: 'applyAgain',
  shape: { ...aboutOneself, finishedAt: 'instant' },
  send: ({ token, finishedAt }) => ({ body: { token, finishedAt } }),
  label: ({ name, eventName }) => `${name} applies again for ${eventName}`,
})

export interface SetFace extends WithdrawApplication {
  /** The picture was shrunk and is base64. */
  readonly picture: string
  readonly type: string
}

export const setFace = defineMutation<SetFace>({
  ...ofOwn('face'),
  name: 'set-face',
  route: 'setFace',
  shape: { ...aboutOneself, picture: 'string', type: 'string' },
  send: ({ token, picture }) => ({ body: { token, picture } }),
  label: ({ name, eventName }) => `Photo of ${name} for ${eventName}`,
})

export const removeFace = defineMutation<WithdrawApplication>({
  ...ofOwn('face'),
  name: 'remove-face',
  route: 'removeFace',
  shape: aboutOneself,
  send: ({ token }) => ({ body: { token } }),
  label: ({ name, eventName }) => `Remove the photo of ${name} for ${eventName}`,
})
