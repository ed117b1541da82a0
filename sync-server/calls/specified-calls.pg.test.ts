import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, it } from 'vitest'
import { addSession } from '../testing/account-rows.ts'
import { listedCalls } from '../testing/listed-calls.ts'
import { createPlainClient, type PlainClient } from '../testing/plain-client.ts'
import { eventBody } from '../testing/route-rig.ts'
import {
  applicationAsSpecified,
  askAsEach,
  furnish,
  prepareStage,
  publicBeacon,
  specifiedRows,
  type Person,
  type Stage,
} from '../testing/specified-calls.ts'
import { setTestServer } from '../testing/test-server.ts'

const server = await setTestServer()
const ids = {
  owner: await server.createUser('Olivia'),
  stranger: await server.createUser('Otto'),
  admin: await server.createUser('Ada', { isAdmin: true }),
}
await furnish(server, ids.owner)
let stage: Stage
beforeEach(async () => {
  await server.db('rate_limits').delete()
  stage = await prepareStage(server, ids.owner)
})

const as = async (person: Person): Promise<PlainClient> =>
  createPlainClient(server.origin, person === 'anonymous' ? null : `sid=${await addSession(server.db, ids[person])}`)

/** What a plain client's fetch puts on the wire. */
async function sentHeaders(): Promise<IncomingHttpHeaders> {
  let sent: IncomingHttpHeaders = {}
  const listener = createServer((request, response) => {
    sent = request.headers
    response.end('{}')
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  await createPlainClient(`http://127.0.0.1:${(listener.address() as AddressInfo).port}`).call('login', { body: {} })
  listener.closeAllConnections()
  await new Promise((resolve) => listener.close(resolve))
  return sent
}

describe('a call of the specification', () => {
  it('has its row, and no other call has one', () => {
    expect(specifiedRows.map(([endpoint]) => endpoint).toSorted()).toEqual(listedCalls.toSorted())
  })

  // showDefaultQuestions: true is what customizing answers when nothing was said of it.
  it.each(specifiedRows)(
    '%s answers each kind of person as it is listed, whatever program they use',
    async (...row) => {
      expect(await askAsEach(row, stage, as)).toEqual(row[1].answers)
    },
  )

  it('lists are lists, and nobody who is not the owner sees what is not public', async () => {
    const visitor = await as('anonymous')
    const shown = await visitor.call('getEvent', { params: { id: stage.eventId } })
    for (const hidden of ['promoCode', 'beaconInstructions', 'customBeaconEmailSubject', 'customBeaconEmailBody'])
      expect(shown.body).not.toHaveProperty(hidden)
    const beacons = await visitor.call('listBeacons', { params: { id: stage.eventId } })
    expect(Object.keys(beacons.body[0]).toSorted()).toEqual(Object.keys(publicBeacon).toSorted())
  })

  it('searches by zip code and radius only where a zip code is given', async () => {
    const far = await server.call('listEvents', { query: { zipCode: '99501', radius: 250 } })
    const near = await server.call('listEvents', { query: { zipCode: '60611', radius: 10 } })
    const everywhere = await server.call('listEvents')
    const holds = (answer: { body: { id: number }[] }) => answer.body.some(({ id }) => id === stage.eventId)
    expect([holds(far), holds(near), holds(everywhere)]).toEqual([false, true, true])
  })
})

describe('a client that is not our app', () => {
  it('says nothing of where it comes from, of its device, its version or its changes', async () => {
    const sent = await sentHeaders()
    const ours = [
      'origin',
      'referer',
      'sec-fetch-site',
      'idempotency-key',
      ...Object.keys(sent).filter((name) => name.startsWith('x-')),
    ]
    expect(ours.filter((name) => name in sent)).toEqual([])
    expect(sent['content-type']).toBe('application/json')
  })

  it('goes from signing up to deleting its event, each step showing in the next', async () => {
    const organizer = createPlainClient(server.origin)
    const visitor = createPlainClient(server.origin)
    const ok = async (client: PlainClient, ...[name, options]: Parameters<PlainClient['call']>) => {
      const answer = await client.call(name, options)
      expect(answer.status, `${name}: ${answer.text}`).toBeLessThan(300)
      return answer.body
    }
    const account = { username: 'Petra', email: 'petra@example.com', password: 'a long password' }
    expect(await ok(organizer, 'register', { body: account })).toMatchObject({
      username: 'Petra',
      subscriptionTier: 'none',
    })
    expect((await ok(organizer, 'getSubscription')).canCreateEvent.canCreate).toBe(false)
    expect((await ok(organizer, 'createPaymentIntent', { body: { planId: 2 } })).freeSubscription).toBe(false)
    expect((await ok(organizer, 'createSubscription', { body: { planId: 2 } })).canCreateEvent.canCreate).toBe(true)

    const { id } = await ok(organizer, 'createEvent', { body: eventBody() })
    const { id: beaconId } = await ok(visitor, 'applyAsBeacon', {
      params: { eventId: id },
      body: applicationAsSpecified(),
    })
    expect(await ok(visitor, 'listBeacons', { params: { id } })).toEqual([])
    expect(await ok(organizer, 'listApplications', { params: { id } })).toMatchObject([
      { id: beaconId, status: 'pending' },
    ])

    const decide = (status: string) => ok(organizer, 'decideApplication', { params: { beaconId }, body: { status } })
    for (const status of ['approved', 'rejected', 'approved']) expect(await decide(status)).toMatchObject({ status })
    expect(await ok(visitor, 'listBeacons', { params: { id } })).toMatchObject([{ id: beaconId, firstName: 'Bea' }])

    const template = { customBeaconEmailSubject: 'Hello', customBeaconEmailBody: '', customQuestions: ['Why?'] }
    await ok(organizer, 'customizeEvent', {
      params: { eventId: id },
      body: { ...template, showDefaultQuestions: false },
    })
    await ok(organizer, 'updateEvent', { params: { id }, body: eventBody({ name: 'Harbor Night' }) })
    expect(await ok(visitor, 'getEvent', { params: { id } })).toMatchObject({
      name: 'Harbor Night',
      customQuestions: ['Why?'],
      showDefaultQuestions: false,
    })

    await ok(organizer, 'deleteEvent', { params: { id } })
    expect((await visitor.call('getEvent', { params: { id } })).status).toBe(404)
    await ok(organizer, 'logout')
    expect((await organizer.call('getUser')).status).toBe(401)
  })
})
