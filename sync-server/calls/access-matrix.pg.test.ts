import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { endpoint } from '#shared/contract/endpoints.ts'
import { headers as wire } from '#shared/contract/request.ts'
import type { RouteSpec } from '#shared/contract/route.ts'
import { routes, type RouteName } from '#shared/api/routes.ts'
import { createPasswords } from '../accounts/passwords.ts'
import { replicationHandlers } from '../app/app.ts'
import { createHandlers } from '../app/handlers.ts'
import { createDemoTransport } from '../mail/demo-transport.ts'
import { applicationBody, eventBody } from '../testing/route-rig.ts'
import { startTestServer, type CallOptions, type TestClient, type TestServer } from '../testing/test-server.ts'

const people = ['anonymous', 'expired', 'other', 'admin', 'owner'] as const
type Person = (typeof people)[number]

/** What each kind of person is answered: 'ok' stands for the route's own success. */
type Row = Readonly<Record<Person, number | 'ok'>> & {
  /** A valid call; the event, with an application and its token, is the owner's and made anew for each call. */
  readonly input?: (ids: Made) => CallOptions
  /** Answers what the applicant wrote to whoever holds the token. */
  readonly byToken?: true
}

interface Made {
  readonly eventId: number
  readonly applicationId: number
  readonly token: string
  /** A mail that failed. */
  readonly mailId: number
}

const anyone = { anonymous: 'ok', expired: 'ok', other: 'ok', admin: 'ok', owner: 'ok' } as const
const signedIn = { anonymous: 401, expired: 401, other: 'ok', admin: 'ok', owner: 'ok' } as const
const everyone = (status: number) => ({
  anonymous: status,
  expired: status,
  other: status,
  admin: status,
  owner: status,
})
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
const { customBeaconEmailSubject, customBeaconEmailBody, customQuestions, showDefaultQuestions } = {
  customBeaconEmailSubject: null,
  customBeaconEmailBody: null,
  customQuestions: ['Why?'],
  showDefaultQuestions: true,
}

/** What an application holds, without what only its sending needs. */
const applicationBodyAsKept = () => {
  const { filledInMs: _, ...fields } = applicationBody({ email: `${randomUUID()}@example.com` })
  return fields
}

/** One row per route: a route without one does not compile. */
const matrix: Readonly<Record<RouteName, Row>> = {
  getUser: signedIn,
  findSession: anyone,
  login: {
    anonymous: 401,
    expired: 401,
    other: 401,
    admin: 401,
    owner: 401,
    input: () => ({ body: { email: 'nobody@example.com', password: 'wrong password' } }),
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
    ...everyone(403),
    anonymous: 401,
    expired: 401,
    input: () => ({ body: { email: 'new@example.com', password: 'wrong password' } }),
  },
  listSessions: signedIn,
  // Nobody has this one; a stranger's answers the same.
  endSession: { ...signedIn, other: 404, admin: 404, owner: 404, input: () => ({ params: { id: 2_000_000_000 } }) },
  endOtherSessions: signedIn,
  renameDevice: { ...signedIn, input: () => ({ body: { name: 'iPad at the door' } }) },
  sendTestEmail: { ...signedIn, input: () => ({ body: { email: 'olivia@example.com' } }) },
  getMailPreferences: signedIn,
  setMailPreferences: { ...signedIn, input: () => ({ body: { newApplications: false } }) },
  listEventMails: { ...ownerOnly, input: ({ eventId }) => ({ params: { id: eventId } }) },
  retryMail: { ...ownerOnly, input: ({ mailId }) => ({ params: { id: mailId } }) },

  getAdminStats: adminOnly,
  listAccounts: adminOnly,
  listStrandedJobs: adminOnly,
  retryJob: { ...adminOnly, input: () => ({ params: { id: 2_000_000_000 }, body: { of: 'job' } }) },
  discardJob: { ...adminOnly, input: () => ({ params: { id: 2_000_000_000 } }) },
  listRefusedChanges: adminOnly,
  askForAnotherTry: { ...adminOnly, admin: 404, input: () => ({ params: { id: 2_000_000_000 } }) },
  putRefusedChangeAside: { ...adminOnly, admin: 404, input: () => ({ params: { id: 2_000_000_000 } }) },
  listAskedTries: signedIn,

  listEvents: anyone,
  getEvent: { ...anyone, input: ({ eventId }) => ({ params: { id: eventId } }) },
  listOrganizerEvents: signedIn,
  // A plan is needed, too, which only the owner has.
  createEvent: { ...signedIn, other: 402, admin: 402, input: () => ({ body: eventBody() }) },
  updateEvent: { ...ownerOnly, input: ({ eventId }) => ({ params: { id: eventId }, body: eventBody() }) },
  deleteEvent: { ...ownerOnly, input: ({ eventId }) => ({ params: { id: eventId } }) },
  customizeEvent: {
    ...ownerOnly,
    input: ({ eventId }) => ({
      params: { eventId },
      body: { customBeaconEmailSubject, customBeaconEmailBody, customQuestions, showDefaultQuestions },
    }),
  },
  leaseEventIds: { ...signedIn, input: () => ({ body: { count: 1 } }) },

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
  getOwnApplication: {
    ...anyone,
    byToken: true,
    input: ({ token }) => ({ headers: { [wire.applicationToken]: token } }),
  },
  correctApplication: {
    ...anyone,
    byToken: true,
    input: ({ token }) => ({ body: { token, ...applicationBodyAsKept() } }),
  },
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
  endAlerts: {
    ...signedIn,
    other: 404,
    admin: 404,
    owner: 404,
    input: () => ({ params: { id: 2_000_000_000 } }),
  },
  setQuietHours: {
    ...signedIn,
    other: 404,
    admin: 404,
    owner: 404,
    input: () => ({ params: { id: 2_000_000_000 }, body: { quietHours: null } }),
  },
  // Whoever asks has no alerts here.
  sendTestAlert: {
    ...signedIn,
    other: 404,
    admin: 404,
    owner: 404,
    input: () => ({ body: { endpoint: endpointOfPush } }),
  },
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

const names = Object.keys(routes) as RouteName[]
const specOf = (name: RouteName): RouteSpec => routes[name]
const canary = {
  email: 'canary-applicant@example.com',
  phone: '+1 555 0199',
  promoCode: 'CANARY-CODE',
  instructions: 'canary-instructions',
}

let server: TestServer
let clients: Record<Person, TestClient>
let owner: TestClient
let ownerId: number

beforeAll(async () => {
  server = await startTestServer()
  const ids = {
    owner: await server.createUser('Olivia'),
    other: await server.createUser('Otto'),
    admin: await server.createUser('Ada', { isAdmin: true }),
  }
  await server
    .db('user_subscriptions')
    .insert({ userId: ids.owner, planId: 3, startDate: new Date(0), endDate: new Date('2100-01-01') })
  clients = {
    anonymous: server.client(),
    expired: server.client(),
    other: server.client(),
    admin: server.client(),
    owner: server.client(),
  }
  owner = server.client()
  ownerId = ids.owner
})
afterAll(() => server.close())

/** Signs everyone in afresh: a call may have signed them out or in as somebody else. */
async function arrive(person: Person): Promise<TestClient> {
  const client = clients[person]
  client.cookies.clear()
  if (person === 'anonymous') return client
  const name = { expired: 'Olivia', owner: 'Olivia', other: 'Otto', admin: 'Ada' }[person]
  const user = await server.db('users').where({ username: name }).first('id')
  await client.signInAs(user!.id)
  if (person === 'expired')
    await server
      .db('sessions')
      .where({ deviceId: client.deviceId })
      .update({ expiresAt: new Date(0) })
  return client
}

/** An event of the owner's with one pending application, full of what only the owner may see. */
async function makeEvent(): Promise<Made> {
  // Whoever ends all other sessions ends this one too.
  await owner.signInAs(ownerId)
  const created = await owner.call('createEvent', {
    body: eventBody({ promoCode: canary.promoCode, beaconInstructions: canary.instructions }),
  })
  expect(created.status, created.text).toBe(201)
  const eventId: number = created.body.id
  const applied = await server
    .client()
    .call('applyAsBeacon', { params: { eventId }, body: applicationBody({ email: canary.email, phone: canary.phone }) })
  expect(applied.status, applied.text).toBe(201)
  const applicationId: number = applied.body.id
  return { eventId, applicationId, token: applied.body.token, mailId: await makeFailedMail(eventId, applicationId) }
}

async function makeFailedMail(eventId: number, applicationId: number): Promise<number> {
  const [mail] = await server
    .db('mails')
    .insert({
      kind: 'decision',
      key: `matrix:${applicationId}`,
      eventId,
      applicationId,
      toName: 'Bea Moss',
      toAddress: canary.email,
      payload: '{}',
      state: 'failed',
      sendAt: new Date(),
    })
    .returning('id')
  return mail!.id
}

async function call(
  client: TestClient,
  name: RouteName,
  options: CallOptions,
): Promise<{ status: number; text: string; code?: string }> {
  if (specOf(name).streams === 'text/event-stream') {
    // A stream that is open does not end: what it begins with is enough.
    const cookie = [...client.cookies].map(([cookieName, value]) => `${cookieName}=${value}`).join('; ')
    const controller = new AbortController()
    const response = await fetch(server.origin + endpoint(name).path, {
      headers: { cookie },
      signal: controller.signal,
    })
    const text = response.status === 200 ? '' : await response.text()
    controller.abort()
    return { status: response.status, text, ...(text === '' ? {} : { code: JSON.parse(text).code }) }
  }
  const { status, text, body } = await client.call(name, options)
  return { status, text, code: body?.code }
}

describe('who may do what', () => {
  it.each(names)('%s answers each kind of person as the matrix says', async (name) => {
    for (const person of people) {
      await server.db('rate_limits').delete()
      const ids = await makeEvent()
      const client = await arrive(person)
      const expected = matrix[name][person]
      const answer = await call(client, name, matrix[name].input?.(ids) ?? {})
      expect(answer.status, `${person}: ${answer.text}`).toBe(expected === 'ok' ? specOf(name).status : expected)
      if (answer.status === 401 && name !== 'login')
        expect(answer.code).toBe(person === 'expired' ? 'session_expired' : 'sign_in_required')
      if (person !== 'owner') {
        const secrets = matrix[name].byToken ? [canary.promoCode, canary.instructions] : Object.values(canary)
        for (const secret of secrets) expect(answer.text, `${person} sees a secret`).not.toContain(secret)
      }
    }
  })

  it.each(names)('%s has the access in the table that the matrix shows', (name) => {
    const { anonymous, other } = matrix[name]
    const { access } = specOf(name)
    if (access === 'anyone') expect(anonymous === 401 && name !== 'login').toBe(false)
    else expect(anonymous).toBe(401)
    if (access === 'owner') expect(other).toBe(404)
  })

  it("answers a stranger's event and a missing one alike", async () => {
    for (const name of names.filter((candidate) => specOf(candidate).access === 'owner')) {
      const ids = await makeEvent()
      const client = await arrive('other')
      const strangers = await client.call(name, matrix[name].input?.(ids) ?? {})
      const missing = await client.call(
        name,
        matrix[name].input?.({
          eventId: 2_000_000_000,
          applicationId: 2_000_000_000,
          token: 'none',
          mailId: 2_000_000_000,
        }) ?? {},
      )
      const strip = ({ status, body }: { status: number; body: object }) => [status, { ...body, requestId: '' }]
      expect(strip(strangers), name).toEqual(strip(missing))
    }
  })
})

describe('what may come in', () => {
  const takesInput = names.filter((name) => specOf(name).params ?? specOf(name).query ?? specOf(name).body)

  it.each(takesInput)('%s refuses nonsense in every part and field', async (name) => {
    const client = await arrive(specOf(name).access === 'admin' ? 'admin' : 'owner')
    const valid = matrix[name].input?.(await makeEvent()) ?? {}
    const wrong = badCalls(name, valid)
    expect(wrong.length).toBeGreaterThan(0)
    for (const [what, options] of wrong) {
      const answer = await client.call(name, options)
      expect([answer.status, answer.body?.code], `${what}: ${answer.text}`).toEqual([400, 'invalid_input'])
    }
  })

  /** Made from the schemas: an unknown field everywhere, and every field with a value of a kind it cannot have. */
  function badCalls(name: RouteName, valid: CallOptions): [string, CallOptions][] {
    const { params, query, body } = specOf(name)
    const calls: [string, CallOptions][] = []
    for (const place of params ? Object.keys(valid.params ?? {}) : []) {
      for (const value of ['abc', '0', '-1', '1.5', '99999999999', '1 or 1=1'])
        calls.push([`${place}=${value}`, { ...valid, params: { ...valid.params, [place]: value } }])
    }
    if (query) {
      calls.push(['an unknown query parameter', { ...valid, query: { ...valid.query, unknownField: '1' } }])
    }
    if (!body) return calls
    calls.push(['no body', valid.params ? { params: valid.params } : {}])
    calls.push(['a list for a body', { ...valid, body: [] }], ['a text for a body', { ...valid, body: 'text' }])
    calls.push(['an unknown field', { ...valid, body: { ...(valid.body as object), unknownField: 1 } }])
    const { properties = {}, required = [] } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as {
      properties?: Record<string, object>
      required?: string[]
    }
    for (const field of Object.keys(properties)) {
      calls.push([`an object in ${field}`, { ...valid, body: { ...(valid.body as object), [field]: { $gt: '' } } }])
      if (required.includes(field)) {
        const { [field]: _, ...rest } = valid.body as Record<string, unknown>
        calls.push([`${field} missing`, { ...valid, body: rest }])
      }
    }
    return calls
  }
})

it('every route of the table has a handler, and every handler a route', () => {
  const handlers = createHandlers({
    passwords: createPasswords(),
    mail: createDemoTransport(server.db),
    payments: null,
    replication: replicationHandlers,
  })
  const streams: RouteName[] = ['openStream', 'replayMutations']
  expect(Object.keys(handlers).concat(streams).toSorted()).toEqual(names.toSorted())
})
