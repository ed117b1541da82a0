import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { endpoints, type EndpointName } from '#shared/contract/endpoints.ts'
import { addPromoCode, addSubscription } from './billing-rows.ts'
import { applicationBody, correctedBody, eventBody } from './route-rig.ts'
import type { CallOptions, TestAnswer, TestServer } from './test-server.ts'

/** Who calls: a stranger is another organizer than the owner. */
export const people = ['anonymous', 'stranger', 'owner', 'admin'] as const
export type Person = (typeof people)[number]
type Endpoint = (typeof endpoints)[EndpointName]

/** A call as the specification lists it: the payload a page sends, what comes back, and what everyone else hears. */
interface Specified {
  readonly payload?: (ids: Stage) => CallOptions
  readonly answers: Readonly<Record<Person, number>>
  /** The body of the owner's answer, or of whoever may. */
  readonly body?: unknown
}

/** What the calls are about. */
export interface Stage {
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
/** What anyone may see of an approved Beacon, and no more. */
export const publicBeacon = {
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
/** An application's fields, without what only our own form says of how they were filled in. */
export function applicationAsSpecified(): Record<string, unknown> {
  return correctedBody({ email: `${randomUUID()}@example.com` })
}

const byEvent = ({ eventId }: Stage): CallOptions => ({ params: { id: eventId } })

/** Section 7 of the specification, call by call. */
const specifiedCalls: Readonly<Partial<Record<Endpoint, Specified>>> = {
  'GET /api/user': { answers: signedIn, body: ownUser },
  'POST /api/login': {
    payload: () => ({ body: { email: bruno.email, password: bruno.password } }),
    answers: anyone,
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
      body: applicationAsSpecified(),
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
    payload: () => ({ body: { planId: 1, promoCode: 'NEIGHBORS' } }),
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

/** An account whose password a person would type, who has left an organization's name. */
const bruno = {
  username: 'bruno',
  email: 'bruno@example.com',
  password: 'long enough',
  organizationName: 'The Pier',
}

/** What must be there beside the people: a plan of the owner's, a promo code, and an account that is signed in to. */
export async function furnish(server: TestServer, ownerId: number): Promise<void> {
  await addSubscription(server.db, ownerId, 3)
  // Two, for each account uses a code once.
  for (const code of ['FRIENDS', 'NEIGHBORS']) await addPromoCode(server.db, code)
  await server.call('register', { body: bruno })
}

/** An event of the owner's, to which Bea has applied and Bo, who is approved. */
export async function prepareStage(server: TestServer, ownerId: number): Promise<Stage> {
  const olivia = server.client()
  await olivia.signInAs(ownerId)
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

/** Every call of the specification. */
export const specifiedRows = Object.entries(specifiedCalls) as [Endpoint, Specified][]

/** Whoever makes calls. */
interface Caller {
  call(name: EndpointName, options?: CallOptions): Promise<TestAnswer>
}

/**
 * Makes a call as each kind of person, who hear what the specification says; answers the status of each. Whoever may do it does
 * it last, for what is deleted is gone.
 */
export async function askAsEach(
  [endpoint, { payload, answers, body }]: readonly [Endpoint, Specified],
  stage: Stage,
  as: (person: Person) => Promise<Caller>,
): Promise<Partial<Record<Person, number>>> {
  const heard: Partial<Record<Person, number>> = {}
  const name = Object.entries(endpoints).find(([, known]) => known === endpoint)?.[0] as EndpointName
  for (const person of people.toSorted((one, other) => answers[other] - answers[one])) {
    const client = await as(person)
    const answer = await client.call(name, payload?.(stage))
    expect([person, answer.status], answer.text).toEqual([person, answers[person]])
    heard[person] = answer.status
    if (answer.status >= 400) {
      expect(answer.body).toMatchObject({ code: expect.any(String), message: expect.any(String) })
      continue
    }
    if (body === undefined) expect(answer.text).toBe('')
    const told = person === 'owner' || (answers.owner >= 400 && person === 'admin')
    if (told && body !== undefined) expect(answer.body).toEqual(shaped(body))
  }
  return heard
}

/** What the specification names must be there as it says; more may be. */
function shaped(expected: unknown): unknown {
  if (Array.isArray(expected)) return expected.map(shaped)
  if (expected !== null && typeof expected === 'object' && Object.getPrototypeOf(expected) === Object.prototype) {
    const entries = Object.entries(expected).map(([key, value]) => [key, shaped(value)])
    return expect.objectContaining(Object.fromEntries(entries))
  }
  return expected
}
