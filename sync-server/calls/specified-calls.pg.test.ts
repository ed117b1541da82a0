import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listedCalls } from '../testing/listed-calls.ts'
import { applicationBody, eventBody } from '../testing/route-rig.ts'
import {
  askAsEach,
  furnish,
  prepareStage,
  publicBeacon,
  specifiedRows,
  type Person,
  type Stage,
} from '../testing/specified-calls.ts'
import { startTestServer, type TestClient, type TestServer } from '../testing/test-server.ts'

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

describe('a call of the specification', () => {
  it('has its row, and no other call has one', () => {
    expect(specifiedRows.map(([endpoint]) => endpoint).toSorted()).toEqual(listedCalls.toSorted())
  })

  // showDefaultQuestions: true is what customizing answers when nothing was said of it.
  it.each(specifiedRows)('%s answers each kind of person as it is listed', async (...row) => {
    expect(await askAsEach(row, stage, as)).toEqual(row[1].answers)
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
