import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { endpoints, type EndpointName } from '#shared/contract/endpoints.ts'
import { addPromoCode, addSubscription, UNLIMITED } from '../testing/billing-rows.ts'
import { applicationBody, correctedBody, eventBody } from '../testing/route-rig.ts'
import { setTestServer, type CallOptions, type TestClient } from '../testing/test-server.ts'

/** A call as the specification lists it: the payload a page sends and what comes back. Who may make it is the access matrix's. */
interface Specified {
  readonly payload?: (ids: Stage) => CallOptions
  /** The owner of the event unless said otherwise. */
  readonly by?: 'owner' | 'admin'
  /** 200 unless said otherwise. */
  readonly status?: number
  readonly body?: unknown
}

/** What the calls are about. */
interface Stage {
  readonly eventId: number
  readonly beaconId: number
}

const text = expect.any(String)
const number = expect.any(Number)
const user = { id: number, username: text, email: text, organizationName: null, isAdmin: false, createdAt: text }
const ownUser = { ...user, subscriptionTier: 'unlimited', subscriptionEndDate: text }
const newUser = { ...user, organizationName: 'The Pier', subscriptionTier: 'none', subscriptionEndDate: null }
const event = {
  ...eventBody(),
  id: number,
  organizerId: number,
  registrationUrl: null,
  customQuestions: [],
  showDefaultQuestions: true,
  createdAt: text,
}
const ownEvent = {
  ...event,
  beaconInstructions: null,
  promoCode: 'PIER',
  customBeaconEmailSubject: null,
  customBeaconEmailBody: null,
}
/** What anyone may see of an approved Beacon, and no more. */
const publicBeacon = {
  id: number,
  eventId: number,
  firstName: 'Bo',
  lastName: 'Moss',
  company: null,
  jobTitle: null,
  bio: text,
  linkedinUrl: null,
}
const application = {
  ...publicBeacon,
  ...correctedBody({ email: text }),
  phone: null,
  status: 'pending',
  createdAt: text,
}
const plan = { id: number, name: text, description: text, price: number, eventLimit: number, durationDays: number }
const subscription = {
  subscription: {
    status: 'active',
    eventsUsed: number,
    startDate: text,
    endDate: text,
    promoCode: null,
  },
  plan,
  canCreateEvent: { canCreate: true, reason: null },
}
const customization = {
  customBeaconEmailSubject: 'Welcome, [Beacon Name]!',
  customBeaconEmailBody: null,
  customQuestions: ['Which days can you come?'],
}
/** An application's fields, without what only our own form says of how they were filled in. */
const applicationAsSpecified = () => correctedBody({ email: `${randomUUID()}@example.com` })

const byEvent = ({ eventId }: Stage): CallOptions => ({ params: { id: eventId } })

/** Section 7 of the specification, call by call. */
const specifiedCalls: Readonly<Partial<Record<(typeof endpoints)[EndpointName], Specified>>> = {
  'GET /api/user': { body: ownUser },
  'POST /api/login': {
    payload: () => ({ body: { email: bruno.email, password: bruno.password } }),
    body: newUser,
  },
  'POST /api/register': {
    payload: () => ({
      body: {
        username: `u-${randomUUID().slice(0, 8)}`,
        email: `${randomUUID()}@example.com`,
        password: 'harbor candle',
        organizationName: 'The Pier',
      },
    }),
    status: 201,
    body: newUser,
  },
  'POST /api/logout': { status: 204 },
  'GET /api/events': {
    payload: () => ({ query: { state: 'Illinois', zipCode: '60611', radius: 50 } }),
    body: expect.arrayContaining([expect.objectContaining(event)]),
  },
  'GET /api/events/{id}': { payload: byEvent, body: event },
  'GET /api/events/{id}/beacons': { payload: byEvent, body: [publicBeacon] },
  'GET /api/organizer/events': {
    body: expect.arrayContaining([expect.objectContaining({ ...ownEvent, approvedCount: 1, pendingCount: 1 })]),
  },
  'GET /api/organizer/events/{id}/beacons': {
    payload: byEvent,
    body: expect.arrayContaining([expect.objectContaining(application)]),
  },
  'POST /api/events': {
    payload: () => ({ body: eventBody({ promoCode: 'PIER' }) }),
    status: 201,
    body: ownEvent,
  },
  'PUT /api/events/{id}': {
    payload: ({ eventId }) => ({ params: { id: eventId }, body: eventBody({ promoCode: 'PIER' }) }),
    body: ownEvent,
  },
  'DELETE /api/events/{id}': { payload: byEvent, status: 204 },
  'PATCH /api/events/{eventId}/customization': {
    // showDefaultQuestions is left out: true is its default.
    payload: ({ eventId }) => ({ params: { eventId }, body: customization }),
    body: { ...ownEvent, ...customization, showDefaultQuestions: true },
  },
  'POST /api/events/{eventId}/beacons': {
    payload: ({ eventId }) => ({
      params: { eventId },
      body: applicationAsSpecified(),
    }),
    status: 201,
    body: { id: number, eventId: number, firstName: 'Bea', lastName: 'Moss', status: 'pending', token: text },
  },
  'PATCH /api/beacons/{beaconId}/status': {
    payload: ({ beaconId }) => ({ params: { beaconId }, body: { status: 'approved' } }),
    body: { ...application, status: 'approved' },
  },
  'GET /api/user/subscription': { body: subscription },
  'GET /api/subscription-plans': {
    body: [
      { ...plan, id: 1, price: 2000, eventLimit: 1, durationDays: 365 },
      { ...plan, id: 2, price: 4900, eventLimit: 3 },
      { ...plan, id: 3, price: 14_900, eventLimit: -1 },
    ],
  },
  'POST /api/validate-promo-code': {
    payload: () => ({ body: { code: 'FRIENDS' } }),
    body: { valid: true, discount: 20, message: 'For friends' },
  },
  'POST /api/create-subscription': {
    payload: () => ({ body: { planId: 1, promoCode: 'FRIENDS' } }),
    body: { subscription: { status: 'active' }, plan, canCreateEvent: { canCreate: true } },
  },
  'POST /api/create-payment-intent': {
    payload: () => ({ body: { planId: 1, promoCode: 'NEIGHBORS' } }),
    body: { clientSecret: null, freeSubscription: false, amount: 1600 },
  },
  'POST /api/test-email': {
    payload: () => ({ body: { email: 'olivia@example.com' } }),
    body: { message: text },
  },
  'GET /api/admin/stats': {
    by: 'admin',
    body: {
      totalUsers: number,
      activeUsers: number,
      totalEvents: number,
      totalSubscriptions: number,
      totalRevenue: number,
      promoCodeUses: number,
    },
  },
  'GET /api/admin/accounts': {
    by: 'admin',
    body: expect.arrayContaining([
      {
        id: number,
        username: 'Olivia',
        email: 'olivia@example.com',
        organizationName: null,
        subscription: { planName: text },
        eventCount: number,
        createdAt: text,
        isActive: true,
      },
    ]),
  },
}

/** An account whose password a person would type, who has left an organization's name. */
const bruno = {
  username: 'bruno',
  email: 'bruno@example.com',
  password: 'long enough',
  organizationName: 'The Pier',
}

const server = await setTestServer()
const ids = { owner: await server.createUser('Olivia'), admin: await server.createUser('Ada', { isAdmin: true }) }
await addSubscription(server.db, ids.owner, UNLIMITED)
// Two, for each account uses a code once.
for (const code of ['FRIENDS', 'NEIGHBORS']) await addPromoCode(server.db, code)
await server.call('register', { body: bruno })

const signedIn = async (person: keyof typeof ids): Promise<TestClient> => {
  const client = server.client({ isPlain: true })
  await client.signInAs(ids[person])
  return client
}

let stage: Stage
/** An event of the owner's, to which Bea has applied and Bo, who is approved. */
beforeEach(async () => {
  await server.db('rate_limits').delete()
  const olivia = await signedIn('owner')
  const { id: eventId } = await olivia.ok('createEvent', { body: eventBody({ promoCode: 'PIER' }) })
  const apply = async (firstName: string): Promise<number> => {
    const body = applicationBody({ firstName, email: `${randomUUID()}@example.com` })
    return (await server.client().ok('applyAsBeacon', { params: { eventId }, body })).id
  }
  const beaconId = await apply('Bea')
  await olivia.ok('decideApplication', { params: { beaconId: await apply('Bo') }, body: { status: 'approved' } })
  stage = { eventId, beaconId }
})

/** What the specification names must be there as it says; more may be. */
function shaped(expected: unknown): unknown {
  if (Array.isArray(expected)) return expected.map(shaped)
  if (expected !== null && typeof expected === 'object' && Object.getPrototypeOf(expected) === Object.prototype) {
    const entries = Object.entries(expected).map(([key, value]) => [key, shaped(value)])
    return expect.objectContaining(Object.fromEntries(entries))
  }
  return expected
}

it.each(Object.entries<Specified>(specifiedCalls))(
  '%s answers as it is listed',
  async (listed, { payload, by = 'owner', status = 200, body }) => {
    const [name] = Object.entries(endpoints).find(([, endpoint]) => endpoint === listed) as [EndpointName, string]
    const answer = await (await signedIn(by)).call(name, payload?.(stage))
    expect(answer.status, answer.text).toBe(status)
    if (body === undefined) expect(answer.text).toBe('')
    else expect(answer.body).toEqual(shaped(body))
  },
)
