import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { headers as wire } from '#shared/contract/request.ts'
import type { RouteSpec } from '#shared/contract/route.ts'
import { routes, type RouteName } from '#shared/api/routes.ts'
import { applicationBody, correctedBody, eventBody } from './route-rig.ts'
import type { CallOptions } from './test-server.ts'

/** Who calls. */
export const people = ['anonymous', 'expired', 'other', 'admin', 'owner'] as const
export type Person = (typeof people)[number]

/** What each kind of person is answered: 'ok' stands for the route's own success. */
type Row = Readonly<Record<Person, number | 'ok'>> & {
  /** A valid call; the event, with an application and its token, is the owner's and made anew for each call. */
  readonly input?: (ids: Made) => CallOptions
  /** Answers what the applicant wrote to whoever holds the token. */
  readonly byToken?: true
}

/** What a call may be about. */
export interface Made {
  readonly eventId: number
  readonly applicationId: number
  readonly token: string
  /** A mail that failed. */
  readonly mailId: number
}

const everyone = (hears: number | 'ok') =>
  Object.fromEntries(people.map((person) => [person, hears])) as Record<Person, number | 'ok'>
const anyone = everyone('ok')
/** What everyone hears who is signed in. */
const signedInHear = (hears: number | 'ok') => ({ ...everyone(hears), anonymous: 401, expired: 401 })
const signedIn = signedInHear('ok')
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWP4v8oYAASIAd3wF0euAAAAAElFTkSuQmCC'
const unknownLink = 'a'.repeat(43)
/** What only a role opens. */
const adminOnly = { anonymous: 401, expired: 401, other: 403, admin: 'ok', owner: 403 } as const
/** A stranger's event answers like a missing one, to an admin too: admins look, they do not edit. */
const ownerOnly = { anonymous: 401, expired: 401, other: 404, admin: 404, owner: 'ok' } as const

const endpointOfPush = 'https://fcm.googleapis.com/fcm/send/matrix'
const pushKeys = {
  p256dh: createECDH('prime256v1').generateKeys('base64url'),
  auth: randomBytes(16).toString('base64url'),
}

/** One row per route: a route without one does not compile. */
export const matrix: Readonly<Record<RouteName, Row>> = {
  getUser: signedIn,
  findSession: anyone,
  login: { ...everyone(401), input: () => ({ body: { email: 'nobody@example.com', password: 'wrong password' } }) },
  register: {
    ...anyone,
    input: () => ({
      body: { username: randomUUID().slice(0, 20), email: `${randomUUID()}@example.com`, password: 'long enough' },
    }),
  },
  logout: anyone,
  requestPasswordReset: { ...anyone, input: () => ({ body: { email: `${randomUUID()}@example.com` } }) },
  // Nobody has this link.
  readAccountLink: { ...everyone(404), input: () => ({ body: { token: unknownLink } }) },
  resetPassword: { ...everyone(404), input: () => ({ body: { token: unknownLink, password: 'long enough' } }) },
  confirmEmail: { ...everyone(404), input: () => ({ body: { token: unknownLink } }) },
  resendVerification: signedIn,
  // These people have no password.
  requestEmailChange: {
    ...signedInHear(403),
    input: () => ({ body: { email: 'new@example.com', password: 'wrong password' } }),
  },
  changePassword: {
    ...signedInHear(403),
    input: () => ({ body: { currentPassword: 'wrong password', password: 'long enough' } }),
  },
  downloadData: { ...signedInHear(403), input: () => ({ body: { password: 'wrong password' } }) },
  requestAccountDeletion: { ...signedInHear(403), input: () => ({ body: { password: 'wrong password' } }) },
  keepAccount: signedIn,
  setProfile: { ...signedIn, input: () => ({ body: { organizationName: 'Lantern Street', contactEmail: null } }) },
  listSessions: signedIn,
  // Nobody has this one; a stranger's answers the same.
  endSession: { ...signedInHear(404), input: () => ({ params: { id: 2_000_000_000 } }) },
  endOtherSessions: signedIn,
  renameDevice: { ...signedIn, input: () => ({ body: { name: 'iPad at the door' } }) },
  sendTestEmail: { ...signedIn, input: () => ({ body: { email: 'olivia@example.com' } }) },
  getMailPreferences: signedIn,
  setMailPreferences: { ...signedIn, input: () => ({ body: { newApplications: false } }) },
  listEventMails: { ...ownerOnly, input: ({ eventId }) => ({ params: { id: eventId } }) },
  retryMail: { ...ownerOnly, input: ({ mailId }) => ({ params: { id: mailId } }) },

  getAdminStats: adminOnly,
  getAdminSeries: { ...adminOnly, input: () => ({ query: { by: 'day' } }) },
  listAccounts: adminOnly,
  getAccount: { ...adminOnly, admin: 404, input: () => ({ params: { id: 2_000_000_000 } }) },
  listAdminEvents: adminOnly,
  takeEventDown: {
    ...adminOnly,
    input: ({ eventId }) => ({ params: { id: eventId }, body: { reason: 'It is no networking event.' } }),
  },
  putEventBack: { ...adminOnly, input: ({ eventId }) => ({ params: { id: eventId } }) },
  listStrandedJobs: adminOnly,
  retryJob: { ...adminOnly, input: () => ({ params: { id: 2_000_000_000 }, body: { of: 'job' } }) },
  discardJob: { ...adminOnly, input: () => ({ params: { id: 2_000_000_000 } }) },
  listRefusedChanges: adminOnly,
  askForAnotherTry: { ...adminOnly, admin: 404, input: () => ({ params: { id: 2_000_000_000 } }) },
  putRefusedChangeAside: { ...adminOnly, admin: 404, input: () => ({ params: { id: 2_000_000_000 } }) },
  reportErrors: {
    ...anyone,
    input: () => ({
      body: {
        errors: [{ name: 'TypeError', version: '1.0.0', screen: '/events/:id', frames: ['a.js:1:2'], times: 1 }],
      },
    }),
  },
  listBrowserErrors: adminOnly,
  listAskedTries: signedIn,
  getSite: anyone,
  saveSite: { ...adminOnly, input: () => ({ body: { operator: 'Lantern Street e. V.' } }) },
  savePlan: {
    ...adminOnly,
    admin: 404,
    input: () => ({ params: { id: 2_000_000_000 }, body: { name: 'Single', description: 'One event.', dollars: 20 } }),
  },
  listPromoCodes: adminOnly,
  createPromoCode: {
    ...adminOnly,
    input: () => ({
      body: { code: `P-${randomUUID().slice(0, 8)}`, description: 'Fair', percent: 10, lastDay: null, maxUses: null },
    }),
  },
  stopPromoCode: { ...adminOnly, admin: 404, input: () => ({ params: { id: 2_000_000_000 } }) },

  listEvents: anyone,
  getEvent: { ...anyone, input: ({ eventId }) => ({ params: { id: eventId } }) },
  listOrganizerEvents: signedIn,
  // A plan is needed, too, which only the owner has.
  createEvent: { ...signedIn, other: 402, admin: 402, input: () => ({ body: eventBody() }) },
  updateEvent: { ...ownerOnly, input: ({ eventId }) => ({ params: { id: eventId }, body: eventBody() }) },
  deleteEvent: { ...ownerOnly, input: ({ eventId }) => ({ params: { id: eventId } }) },
  customizeEvent: {
    ...ownerOnly,
    input: ({ eventId }) => ({ params: { eventId }, body: { customQuestions: ['Why?'] } }),
  },

  setEventCover: { ...ownerOnly, input: ({ eventId }) => ({ params: { id: eventId }, body: { picture: onePixel } }) },
  removeEventCover: { ...ownerOnly, input: ({ eventId }) => ({ params: { id: eventId } }) },
  countView: { ...anyone, input: ({ eventId }) => ({ params: { id: eventId }, body: { from: 'direct' } }) },
  // The owner's plan has it.
  getAnalytics: { ...signedIn, other: 402 },
  getEventViews: { ...ownerOnly, input: ({ eventId }) => ({ params: { id: eventId } }) },

  listBeacons: { ...anyone, input: ({ eventId }) => ({ params: { id: eventId } }) },
  listApplications: { ...ownerOnly, input: ({ eventId }) => ({ params: { id: eventId } }) },
  applyAsBeacon: {
    ...anyone,
    input: ({ eventId }) => ({ params: { eventId }, body: applicationBody({ email: `${randomUUID()}@example.com` }) }),
  },
  decideApplication: {
    ...ownerOnly,
    input: ({ applicationId }) => ({ params: { beaconId: applicationId }, body: { status: 'approved' } }),
  },
  markApplication: {
    ...ownerOnly,
    input: ({ applicationId }) => ({ params: { beaconId: applicationId }, body: { note: 'Speaks Spanish' } }),
  },
  listDecisions: { ...ownerOnly, input: ({ applicationId }) => ({ params: { beaconId: applicationId } }) },
  getOwnApplication: {
    ...anyone,
    byToken: true,
    input: ({ token }) => ({ headers: { [wire.applicationToken]: token } }),
  },
  correctApplication: {
    ...anyone,
    byToken: true,
    input: ({ token }) => ({ body: { token, ...correctedBody({ email: `${randomUUID()}@example.com` }) } }),
  },
  // An application that waits is not a Beacon's.
  sayComing: { ...everyone(409), byToken: true, input: ({ token }) => ({ body: { token, coming: true } }) },
  setFace: { ...anyone, byToken: true, input: ({ token }) => ({ body: { token, picture: onePixel } }) },
  removeFace: { ...anyone, byToken: true, input: ({ token }) => ({ body: { token } }) },
  deleteOwnApplication: { ...anyone, input: ({ token }) => ({ body: { token } }) },
  withdrawApplication: { ...anyone, byToken: true, input: ({ token }) => ({ body: { token } }) },

  getSubscription: signedIn,
  listPlans: anyone,
  getBillingMode: anyone,
  validatePromoCode: { ...signedIn, input: () => ({ body: { code: 'NOBODY-KNOWS' } }) },
  createSubscription: { ...signedIn, input: () => ({ body: { planId: 1 } }) },
  createPaymentIntent: { ...signedIn, input: () => ({ body: { planId: 1 } }) },
  getBillingHistory: signedIn,

  getPushKey: anyone,
  listAlertedDevices: signedIn,
  subscribePush: {
    ...signedIn,
    input: () => ({ body: { endpoint: `${endpointOfPush}/${randomUUID()}`, keys: pushKeys } }),
  },
  unsubscribePush: { ...signedIn, input: () => ({ body: { endpoint: endpointOfPush } }) },
  // Nobody has this one; a stranger's answers the same.
  endAlerts: { ...signedInHear(404), input: () => ({ params: { id: 2_000_000_000 } }) },
  setQuietHours: { ...signedInHear(404), input: () => ({ params: { id: 2_000_000_000 }, body: { quietHours: null } }) },
  // Whoever asks has no alerts here.
  sendTestAlert: { ...signedInHear(404), input: () => ({ body: { endpoint: endpointOfPush } }) },
  tellThisPhone: {
    ...anyone,
    input: ({ token }) => ({ body: { token, endpoint: `${endpointOfPush}/${randomUUID()}`, keys: pushKeys } }),
  },
  stopTellingThisPhone: { ...anyone, input: ({ token }) => ({ body: { token, endpoint: endpointOfPush } }) },

  pull: { ...signedIn, input: () => ({ query: { collection: 'events' } }) },
  openStream: signedIn,
  replayMutations: {
    ...anyone,
    input: () => ({ body: { account: null, entries: [{ key: randomUUID(), route: 'deleteEvent', lane: 'a' }] } }),
  },
  cancelMutation: { ...anyone, input: () => ({ body: { account: null, key: randomUUID() } }) },
  cancelMutations: { ...signedIn, input: () => ({ body: { keys: [randomUUID()] } }) },
  describeApi: anyone,
}

/** Every route of the table, and what it says of one. */
export const names = Object.keys(routes) as RouteName[]
export const specOf = (name: RouteName): RouteSpec => routes[name]
