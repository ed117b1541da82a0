import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { headers as wire } from '#shared/contract/request.ts'
import type { RouteSpec } from '#shared/contract/route.ts'
import { routes, type RouteName } from '#shared/api/routes.ts'
import { applicationBody, correctedBody, eventBody } from './route-rig.ts'
import type { CallOptions } from './test-server.ts'

/** Who calls. The last four call for the owner, whose team they are, or were, on. */
export const people = [
  'anonymous',
  'expired',
  'other',
  'admin',
  'owner',
  'manager',
  'reviewer',
  'door',
  'removed',
] as const
export type Person = (typeof people)[number]
export const members = ['manager', 'reviewer', 'door', 'removed'] as const
type Member = (typeof members)[number]

type Hears = number | 'ok'

/**
 * What each kind of person is answered: 'ok' stands for the route's own success. Members without an answer of their own
 * hear what the other organizer hears: the call is about their own account, whomever they act for.
 */
type Row = Readonly<Record<Exclude<Person, Member>, Hears>> & {
  readonly manager?: Hears
  readonly reviewer?: Hears
  readonly door?: Hears
  readonly removed?: Hears
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
  /** A held message. */
  readonly messageId: number
  /** The caller is at the door. Where they may do something, the application is approved. */
  readonly isDoor: boolean
}

const everyone = (hears: Hears) => ({ anonymous: hears, expired: hears, other: hears, admin: hears, owner: hears })
const anyone = everyone('ok')
/** What everyone hears who is signed in. */
const signedInHear = (hears: Hears) => ({ ...everyone(hears), anonymous: 401, expired: 401 })
const signedIn = signedInHear('ok')
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWP4v8oYAASIAd3wF0euAAAAAElFTkSuQmCC'
const unknownLink = 'a'.repeat(43)
/** What only a role opens. */
const adminOnly = { anonymous: 401, expired: 401, other: 403, admin: 'ok', owner: 403 } as const
/** A stranger's event answers like a missing one, to an admin too: admins look, they do not edit. */
const notForTeam = { manager: 403, reviewer: 403, door: 403, removed: 403 } as const
const ownerOnly = { anonymous: 401, expired: 401, other: 404, admin: 404, owner: 'ok', ...notForTeam } as const
const managers = { ...notForTeam, manager: 'ok' } as const
const reviewers = { ...managers, reviewer: 'ok' } as const
const wholeTeam = { ...reviewers, door: 'ok' } as const

const endpointOfPush = 'https://fcm.googleapis.com/fcm/send/matrix'
const pushKeys = {
  p256dh: createECDH('prime256v1').generateKeys('base64url'),
  auth: randomBytes(16).toString('base64url'),
}

/** One row per route: a route without one does not compile. */
export const matrix: Readonly<Record<RouteName, Row>> = {
  getUser: signedIn,
  findSession: anyone,
  login: {
    ...everyone(401),
    input: () => ({ body: { email: `${randomUUID()}@example.com`, password: 'wrong password' } }),
  },
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
  keepAccount: { ...signedInHear(403), input: () => ({ body: { password: 'wrong password' } }) },
  setProfile: { ...signedIn, input: () => ({ body: { organizationName: 'Lantern Street', contactEmail: null } }) },
  listSessions: signedIn,
  // Nobody has this one; a stranger's answers the same.
  endSession: { ...signedInHear(404), input: () => ({ params: { id: 2_000_000_000 } }) },
  endOtherSessions: signedIn,
  renameDevice: { ...signedIn, input: () => ({ body: { name: 'iPad at the door' } }) },
  sendTestEmail: { ...signedIn, input: () => ({ body: { email: 'olivia@example.com' } }) },
  getMailPreferences: signedIn,
  setMailPreferences: { ...signedIn, input: () => ({ body: { newApplications: false } }) },
  listEventMails: { ...ownerOnly, ...reviewers, input: ({ eventId }) => ({ params: { id: eventId } }) },
  retryMail: { ...ownerOnly, ...managers, input: ({ mailId }) => ({ params: { id: mailId } }) },
  addWalkIn: {
    ...ownerOnly,
    ...wholeTeam,
    input: ({ eventId }) => ({
      params: { id: eventId },
      body: { firstName: 'Wanda', lastName: 'Walker', seenAt: '2026-11-20T10:00:00Z' },
    }),
  },
  handInApplication: {
    ...ownerOnly,
    ...reviewers,
    input: ({ eventId }) => ({
      params: { id: eventId },
      body: { key: randomUUID(), deviceId: 'phone', application: applicationBody({ email: 'priya@example.com' }) },
    }),
  },
  sendMessage: {
    ...ownerOnly,
    ...reviewers,
    input: ({ eventId, applicationId }) => ({
      params: { id: eventId },
      body: { audience: 'pending', applicationIds: [applicationId], text: 'See you soon.' },
    }),
  },
  cancelMessage: { ...ownerOnly, ...reviewers, input: ({ messageId }) => ({ params: { id: messageId } }) },
  listMessages: { ...ownerOnly, ...reviewers, input: ({ eventId }) => ({ params: { id: eventId } }) },

  getAdminStats: adminOnly,
  getAdminSeries: { ...adminOnly, input: () => ({ query: { by: 'day' } }) },
  listAccounts: adminOnly,
  getAccount: { ...adminOnly, admin: 404, input: () => ({ params: { id: 2_000_000_000 } }) },
  endAccountSessions: { ...adminOnly, admin: 404, input: () => ({ params: { id: 2_000_000_000 } }) },
  closeAccount: { ...adminOnly, admin: 404, input: () => ({ params: { id: 2_000_000_000 } }) },
  reopenAccount: { ...adminOnly, admin: 404, input: () => ({ params: { id: 2_000_000_000 } }) },
  listAdminEvents: adminOnly,
  takeEventDown: {
    ...adminOnly,
    input: ({ eventId }) => ({ params: { id: eventId }, body: { reason: 'It is no networking event.' } }),
  },
  putEventBack: { ...adminOnly, input: ({ eventId }) => ({ params: { id: eventId } }) },
  listFailedJobs: adminOnly,
  retryJob: { ...adminOnly, input: () => ({ params: { id: 2_000_000_000 } }) },
  discardJob: { ...adminOnly, input: () => ({ params: { id: 2_000_000_000 } }) },
  reportErrors: {
    ...anyone,
    input: () => ({
      body: {
        errors: [{ name: 'TypeError', version: '1.0.0', screen: '/events/:id', frames: ['a.js:1:2'], times: 1 }],
      },
    }),
  },
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
  listOrganizerEvents: { ...signedIn, ...reviewers },
  // A plan is needed, too, which only the owner has; managers use it.
  createEvent: { ...signedIn, ...managers, other: 402, admin: 402, input: () => ({ body: eventBody() }) },
  updateEvent: { ...ownerOnly, ...managers, input: ({ eventId }) => ({ params: { id: eventId }, body: eventBody() }) },
  deleteEvent: { ...ownerOnly, input: ({ eventId }) => ({ params: { id: eventId } }) },
  cancelEvent: { ...ownerOnly, ...managers, input: ({ eventId }) => ({ params: { id: eventId } }) },
  reinstateEvent: { ...ownerOnly, ...managers, input: ({ eventId }) => ({ params: { id: eventId } }) },
  customizeEvent: {
    ...ownerOnly,
    ...managers,
    input: ({ eventId }) => ({ params: { eventId }, body: { customQuestions: ['Why?'] } }),
  },

  setEventCover: {
    ...ownerOnly,
    ...managers,
    input: ({ eventId }) => ({ params: { id: eventId }, body: { picture: onePixel } }),
  },
  removeEventCover: { ...ownerOnly, ...managers, input: ({ eventId }) => ({ params: { id: eventId } }) },
  countView: { ...anyone, input: ({ eventId }) => ({ params: { id: eventId }, body: { from: 'direct' } }) },
  // The owner's plan has it.
  getAnalytics: { ...signedIn, ...managers, other: 402 },
  getEventViews: { ...ownerOnly, ...managers, input: ({ eventId }) => ({ params: { id: eventId } }) },

  listBeacons: { ...anyone, input: ({ eventId }) => ({ params: { id: eventId } }) },
  listApplications: { ...ownerOnly, ...reviewers, input: ({ eventId }) => ({ params: { id: eventId } }) },
  applyAsBeacon: {
    ...anyone,
    input: ({ eventId }) => ({ params: { eventId }, body: applicationBody({ email: `${randomUUID()}@example.com` }) }),
  },
  decideApplication: {
    ...ownerOnly,
    ...reviewers,
    input: ({ applicationId }) => ({ params: { beaconId: applicationId }, body: { status: 'approved' } }),
  },
  markApplication: {
    ...ownerOnly,
    ...wholeTeam,
    input: ({ applicationId, isDoor }) => ({
      params: { beaconId: applicationId },
      body: isDoor ? { post: 'Bar' } : { note: 'Speaks Spanish' },
    }),
  },
  correctEmail: {
    ...ownerOnly,
    ...managers,
    input: ({ applicationId }) => ({ params: { beaconId: applicationId }, body: { email: 'corrected@example.com' } }),
  },
  // The application has none.
  getFace: {
    ...ownerOnly,
    ...notForTeam,
    owner: 404,
    manager: 404,
    reviewer: 404,
    input: ({ applicationId }) => ({ params: { beaconId: applicationId } }),
  },
  listDecisions: {
    ...ownerOnly,
    ...reviewers,
    input: ({ applicationId }) => ({ params: { beaconId: applicationId } }),
  },
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
  checkIn: {
    ...everyone(409),
    byToken: true,
    input: ({ token }) => ({ body: { token, seenAt: '2026-11-20T18:00:00Z' } }),
  },
  setFace: { ...anyone, byToken: true, input: ({ token }) => ({ body: { token, picture: onePixel } }) },
  removeFace: { ...anyone, byToken: true, input: ({ token }) => ({ body: { token } }) },
  deleteOwnApplication: { ...anyone, input: ({ token }) => ({ body: { token } }) },
  // An application that waits is answered as it is.
  applyAgain: { ...anyone, byToken: true, input: ({ token }) => ({ body: { token } }) },
  withdrawApplication: { ...anyone, byToken: true, input: ({ token }) => ({ body: { token } }) },

  getSubscription: signedIn,
  listPlans: anyone,
  getBillingMode: anyone,
  validatePromoCode: { ...signedIn, input: () => ({ body: { code: 'NOBODY-KNOWS' } }) },
  createSubscription: { ...signedIn, input: () => ({ body: { planId: 1 } }) },
  createPaymentIntent: { ...signedIn, input: () => ({ body: { planId: 1 } }) },
  getBillingHistory: signedIn,

  getTeam: signedIn,
  inviteToTeam: { ...signedIn, input: () => ({ body: { role: 'door' } }) },
  withdrawInvitation: { ...signedIn, input: () => ({ params: { id: 2_000_000_000 } }) },
  // Nobody has this invitation, and nobody is on these teams.
  readInvitation: { ...everyone(404), input: () => ({ body: { token: unknownLink } }) },
  joinTeam: { ...signedInHear(404), input: () => ({ body: { token: unknownLink } }) },
  setTeamRole: { ...signedInHear(404), input: () => ({ params: { id: 2_000_000_000 }, body: { role: 'door' } }) },
  removeFromTeam: { ...signedIn, input: () => ({ params: { id: 2_000_000_000 } }) },
  leaveTeam: { ...signedIn, input: () => ({ params: { id: 2_000_000_000 } }) },

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
  setShowNames: { ...signedInHear(404), input: () => ({ params: { id: 2_000_000_000 }, body: { showNames: true } }) },
  // Whoever asks has no alerts here.
  sendTestAlert: { ...signedInHear(404), input: () => ({ body: { endpoint: endpointOfPush } }) },
  tellThisPhone: {
    ...anyone,
    input: ({ token }) => ({ body: { token, endpoint: `${endpointOfPush}/${randomUUID()}`, keys: pushKeys } }),
  },
  stopTellingThisPhone: { ...anyone, input: ({ token }) => ({ body: { token, endpoint: endpointOfPush } }) },

  pull: { ...signedIn, ...wholeTeam, input: () => ({ query: { scope: 'org' } }) },
  getSyncSummary: { ...ownerOnly, ...wholeTeam, input: ({ eventId }) => ({ query: { eventId } }) },
  openStream: { ...signedIn, ...wholeTeam },
  replayMutations: {
    ...anyone,
    input: () => ({ body: { account: null, entries: [{ key: randomUUID(), route: 'deleteEvent', lane: 'a' }] } }),
  },
  cancelMutation: { ...anyone, input: () => ({ body: { account: null, key: randomUUID() } }) },
  cancelMutations: { ...signedIn, input: () => ({ body: { keys: [randomUUID()] } }) },
  describeApi: anyone,
}

/** What a person hears to a call. */
export function answerFor(name: RouteName, person: Person): Hears {
  const row = matrix[name]
  return row[person] ?? row.other
}

/** Every route of the table, and what it says of one. */
export const names = Object.keys(routes) as RouteName[]
export const specOf = (name: RouteName): RouteSpec => routes[name]
