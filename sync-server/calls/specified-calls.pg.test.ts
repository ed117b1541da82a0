import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { endpoints, type EndpointName } from '#shared/contract/endpoints.ts'
import { applicationBody, eventBody } from '../testing/route-rig.ts'
import {
  furnish,
  people,
  prepareStage,
  publicBeacon,
  shaped,
  specifiedCalls,
  type Endpoint,
  type Person,
  type Specified,
  type Stage,
} from '../testing/specified-calls.ts'
import { startTestServer, type TestClient, type TestServer } from '../testing/test-server.ts'

/** The first column of the table in section 7, without query strings. */
const listed = [
  'GET /api/user',
  'POST /api/login',
  'POST /api/register',
  'POST /api/logout',
  'GET /api/events',
  'GET /api/events/{id}',
  'GET /api/events/{id}/beacons',
  'GET /api/organizer/events',
  'GET /api/organizer/events/{id}/beacons',
  'POST /api/events',
  'PUT /api/events/{id}',
  'DELETE /api/events/{id}',
  'PATCH /api/events/{eventId}/customization',
  'POST /api/events/{eventId}/beacons',
  'PATCH /api/beacons/{beaconId}/status',
  'GET /api/user/subscription',
  'GET /api/subscription-plans',
  'POST /api/validate-promo-code',
  'POST /api/create-subscription',
  'POST /api/create-payment-intent',
  'POST /api/test-email',
  'GET /api/admin/stats',
  'GET /api/admin/accounts',
] as const satisfies readonly Endpoint[]

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
  await furnish(server, ids.owner)
})
afterAll(() => server.close())

beforeEach(async () => {
  await server.db('rate_limits').delete()
  stage = await prepareStage(server, ids.owner)
})

async function as(person: Person): Promise<TestClient> {
  const client = server.client()
  if (person !== 'anonymous') await client.signInAs(ids[person])
  return client
}

const rows = Object.entries(specifiedCalls) as [Endpoint, Specified][]
const nameOf = (endpoint: Endpoint) =>
  Object.entries(endpoints).find(([, known]) => known === endpoint)?.[0] as EndpointName

describe('a call of the specification', () => {
  it('has its row, and no other call has one', () => {
    expect(rows.map(([endpoint]) => endpoint).toSorted()).toEqual(listed.toSorted())
  })

  // showDefaultQuestions: true is what customizing answers when nothing was said of it.
  it.each(rows)('%s answers each kind of person as it is listed', async (endpoint, { payload, answers, body }) => {
    // Whoever may do it does it last: what is deleted is gone.
    for (const person of people.toSorted((one, other) => answers[other] - answers[one])) {
      const client = await as(person)
      const answer = await client.call(nameOf(endpoint), payload?.(stage))
      expect([person, answer.status], answer.text).toEqual([person, answers[person]])
      if (answer.status >= 400) {
        expect(answer.body).toMatchObject({ code: expect.any(String), message: expect.any(String) })
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
