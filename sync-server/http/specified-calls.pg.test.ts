import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { endpoints, type EndpointName } from '#shared/api/endpoints.ts'
import { applicationBody, eventBody } from '../testing/route-rig.ts'
import { startTestServer, type CallOptions, type TestClient, type TestServer } from '../testing/test-server.ts'

const people = ['anonymous', 'stranger', 'owner', 'admin'] as const
type Person = (typeof people)[number]
type Endpoint = (typeof endpoints)[EndpointName]

/** A call as the specification lists it: the payload a page sends, what comes back, and what everyone else hears. */
interface Specified {
  readonly payload?: (ids: Stage) => CallOptions
  readonly answers: Readonly<Record<Person, number>>
  /** The body of the owner's answer, or of whoever may. */
  readonly body?: unknown
}

interface Stage {
  readonly eventId: number
  readonly beaconId: number
}

const all = (status: number) => ({ anonymous: status, stranger: status, owner: status, admin: status })
const anyone = all(200)
const signedIn = { ...anyone, anonymous: 401 }
const ownerOnly = { anonymous: 401, stranger: 404, owner: 200, admin: 404 }
const adminOnly = { anonymous: 401, stranger: 403, owner: 403, admin: 200 }

const text = expect.any(String)
const number = expect.any(Number)
const user = { id: number, username: text, email: text, organizationName: null, isAdmin: false, createdAt: text }
const ownUser = { ...user, subscriptionTier: 'unlimited', subscriptionEndDate: text }
const newUser = { ...user, organizationName: 'The Pier', subscriptionTier: 'none', subscriptionEndDate: null }
const event = {
  id: number,
  organizerId: number,
  name: 'Harbor Mixer',
  description: text,
  startDate: '2099-03-01',
  endDate: '2099-03-02',
  startTime: '18:30',
  endTime: '21:00',
  location: 'Pier 9',
  address: text,
  city: 'Chicago',
  state: 'Illinois',
  zipCode: '60611',
  registrationUrl: null,
  beaconIncentives: text,
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
  firstName: 'Bea',
  email: text,
  phone: null,
  experience: 'First time',
  expertise: text,
  whyBeacon: text,
  networkingStyle: text,
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
const byEvent = ({ eventId }: Stage): CallOptions => ({ params: { id: eventId } })

const calls: Readonly<Partial<Record<Endpoint, Specified>>> = {
  'GET /api/user': { answers: signedIn, body: ownUser },
  'POST /api/login': {
    payload: () => ({ body: { email: 'bruno@example.com', password: 'long enough' } }),
    answers: anyone,
    body: newUser,
  },
  'POST /api/register': {
    payload: () => ({
      body: {
        username: `u-${randomUUID().slice(0, 8)}`,
        email: `${randomUUID()}@example.com`,
        password: '123456',
        organizationName: 'The Pier',
      },
    }),
    answers: all(201),
    body: newUser,
  },
  'POST /api/logout': { answers: all(204) },
  'GET /api/events': {
    payload: () => ({ query: { state: 'Illinois', zipCode: '60611', radius: 50 } }),
    answers: anyone,
    body: expect.arrayContaining([expect.objectContaining(event)]),
  },
  'GET /api/events/{id}': { payload: byEvent, answers: anyone, body: event },
  'GET /api/events/{id}/beacons': { payload: byEvent, answers: anyone, body: [publicBeacon] },
  'GET /api/organizer/events': {
    answers: signedIn,
    body: expect.arrayContaining([expect.objectContaining({ ...ownEvent, approvedCount: 1, pendingCount: 1 })]),
  },
  'GET /api/organizer/events/{id}/beacons': {
    payload: byEvent,
    answers: ownerOnly,
    body: expect.arrayContaining([expect.objectContaining(application)]),
  },
  'POST /api/events': {
    payload: () => ({ body: eventBody({ promoCode: 'PIER' }) }),
    answers: { anonymous: 401, stranger: 402, owner: 201, admin: 402 },
    body: ownEvent,
  },
  'PUT /api/events/{id}': {
    payload: ({ eventId }) => ({ params: { id: eventId }, body: eventBody({ promoCode: 'PIER' }) }),
    answers: ownerOnly,
    body: ownEvent,
  },
  'DELETE /api/events/{id}': { payload: byEvent, answers: { ...ownerOnly, owner: 204 } },
  'PATCH /api/events/{eventId}/customization': {
    // showDefaultQuestions is left out: true is its default.
    payload: ({ eventId }) => ({ params: { eventId }, body: customization }),
    answers: ownerOnly,
    body: { ...ownEvent, ...customization, showDefaultQuestions: true },
  },
  'POST /api/events/{eventId}/beacons': {
    payload: ({ eventId }) => ({
      params: { eventId },
      body: applicationBody({ email: `${randomUUID()}@example.com` }),
    }),
    answers: all(201),
    body: { id: number, eventId: number, firstName: 'Bea', lastName: 'Moss', status: 'pending', token: text },
  },
  'PATCH /api/beacons/{beaconId}/status': {
    payload: ({ beaconId }) => ({ params: { beaconId }, body: { status: 'approved' } }),
    answers: ownerOnly,
    body: { ...application, status: 'approved' },
  },
  'GET /api/user/subscription': { answers: signedIn, body: subscription },
  'GET /api/subscription-plans': {
    answers: anyone,
    body: [
      { ...plan, id: 1, price: 2000, eventLimit: 1, durationDays: 365 },
      { ...plan, id: 2, eventLimit: 3 },
      { ...plan, id: 3, eventLimit: -1 },
    ],
  },
  'POST /api/validate-promo-code': {
    payload: () => ({ body: { code: 'FRIENDS' } }),
    answers: signedIn,
    body: { valid: true, discount: 20, message: 'For friends' },
  },
  'POST /api/create-subscription': {
    payload: () => ({ body: { planId: 1, promoCode: 'FRIENDS' } }),
    answers: signedIn,
    body: { subscription: { status: 'active' }, plan, canCreateEvent: { canCreate: true } },
  },
  'POST /api/create-payment-intent': {
    payload: () => ({ body: { planId: 1, promoCode: 'FRIENDS' } }),
    answers: signedIn,
    body: { clientSecret: null, freeSubscription: false, amount: 1600 },
  },
  'POST /api/test-email': {
    payload: () => ({ body: { email: 'olivia@example.com' } }),
    answers: signedIn,
    body: { message: text },
  },
  'GET /api/admin/stats': {
    answers: adminOnly,
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
    answers: adminOnly,
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

let server: TestServer
let ids: Record<Exclude<Person, 'anonymous'>, number>
let stage: Stage

beforeAll(async () => {
  server = await startTestServer()
  ids = {
    owner: await server.createUser('Olivia'),
    stranger: await server.createUser('Otto'),
    admin: await server.createUser('Ada', { isAdmin: true }),
  }
  await server
    .db('user_subscriptions')
    .insert({ user_id: ids.owner, plan_id: 3, start_date: new Date(0), end_date: new Date('2100-01-01') })
  await server
    .db('promo_codes')
    .insert({ code: 'FRIENDS', description: 'For friends', discount_value: 20, valid_from: new Date(0) })
  const bruno = { username: 'bruno', email: 'bruno@example.com', password: 'long enough', organizationName: 'The Pier' }
  await server.call('register', { body: bruno })
})
afterAll(() => server.close())

beforeEach(async () => {
  await server.db('rate_limits').delete()
  stage = await prepare()
})

async function as(person: Person): Promise<TestClient> {
  const client = server.client()
  if (person !== 'anonymous') await client.signInAs(ids[person])
  return client
}

/** An event of Olivia's, to which Bea has applied and Bo, who is approved. */
async function prepare(): Promise<Stage> {
  const olivia = await as('owner')
  const created = await olivia.call('createEvent', { body: eventBody({ promoCode: 'PIER' }) })
  const eventId: number = created.body.id
  const apply = async (firstName: string) => {
    const body = applicationBody({ firstName, email: `${randomUUID()}@example.com` })
    return (await server.call('applyAsBeacon', { params: { eventId }, body })).body.id as number
  }
  const beaconId = await apply('Bea')
  const approved = { params: { beaconId: await apply('Bo') }, body: { status: 'approved' } }
  await olivia.call('decideApplication', approved)
  return { eventId, beaconId }
}

const rows = Object.entries(calls) as [Endpoint, Specified][]
const nameOf = (endpoint: Endpoint) =>
  Object.entries(endpoints).find(([, known]) => known === endpoint)?.[0] as EndpointName

describe('a call of the specification', () => {
  it.each(rows)('%s answers each kind of person as it is listed', async (endpoint, { payload, answers, body }) => {
    // Whoever may do it does it last: what is deleted is gone.
    for (const person of people.toSorted((one, other) => answers[other] - answers[one])) {
      const client = await as(person)
      const answer = await client.call(nameOf(endpoint), payload?.(stage))
      expect([person, answer.status], answer.text).toEqual([person, answers[person]])
      if (answer.status >= 400) {
        expect(answer.body).toMatchObject({ code: text, message: text })
        continue
      }
      if (body === undefined) expect(answer.text).toBe('')
      const told = person === 'owner' || (answers.owner >= 400 && person === 'admin')
      if (told && body !== undefined) expect(answer.body).toEqual(shaped(body))
    }
  })

  it('lists are lists, and nobody who is not the owner sees what is not public', async () => {
    const visitor = await as('anonymous')
    const shown = await visitor.call('getEvent', { params: { id: stage.eventId } })
    for (const hidden of ['promoCode', 'beaconInstructions', 'customBeaconEmailSubject', 'customBeaconEmailBody'])
      expect(shown.body).not.toHaveProperty(hidden)
    const beacons = await visitor.call('listBeacons', { params: { id: stage.eventId } })
    expect(Object.keys(beacons.body[0]).toSorted()).toEqual(Object.keys(publicBeacon).toSorted())
  })

  it('refuses what no form sends', async () => {
    const olivia = await as('owner')
    const withOrganizer = await olivia.call('createEvent', { body: eventBody({ organizerId: ids.owner }) })
    const withConsent = await olivia.call('applyAsBeacon', {
      params: { eventId: stage.eventId },
      body: applicationBody({ agreeTerms: true }),
    })
    expect([withOrganizer.status, withConsent.status]).toEqual([400, 400])
  })

  it('searches by zip code and radius only where a zip code is given', async () => {
    const far = await server.call('listEvents', { query: { zipCode: '99501', radius: 250 } })
    const near = await server.call('listEvents', { query: { zipCode: '60611', radius: 10 } })
    const everywhere = await server.call('listEvents')
    const holds = (answer: { body: { id: number }[] }) => answer.body.some(({ id }) => id === stage.eventId)
    expect([holds(far), holds(near), holds(everywhere)]).toEqual([false, true, true])
  })
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
