import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPlainClient, type PlainClient } from '../testing/plain-client.ts'
import { sized } from '../testing/proof-size.ts'
import { eventBody } from '../testing/route-rig.ts'
import {
  applicationAsSpecified,
  askAsEach,
  furnish,
  prepareStage,
  specifiedRows,
  type Person,
} from '../testing/specified-calls.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

const password = 'a long password'
const emails = { owner: 'olivia@example.com', stranger: 'otto@example.com', admin: 'ada@example.com' } as const
const usernames = { owner: 'Olivia', stranger: 'Otto', admin: 'Ada' } as const
type Member = keyof typeof emails

/** An owner's, a visitor's and one about another's application; the other calls differ in nothing that a client sends. */
const threeRows = new Set([
  'POST /api/events',
  'POST /api/events/{eventId}/beacons',
  'PATCH /api/beacons/{beaconId}/status',
])

let server: TestServer
let ownerId: number

beforeAll(async () => {
  server = await startTestServer()
  for (const person of Object.keys(emails) as Member[]) {
    const body = { username: usernames[person], email: emails[person], password }
    const registered = await createPlainClient(server.origin).call('register', { body })
    if (registered.status !== 201) throw new Error(`${person} cannot sign up: ${registered.text}`)
    if (person === 'owner') ownerId = registered.body.id
  }
  await server.db('users').where({ email: emails.admin }).update({ isAdmin: true })
  await furnish(server, ownerId)
})
afterAll(() => server.close())
beforeEach(() => server.db('rate_limits').delete())

async function as(person: Person): Promise<PlainClient> {
  const client = createPlainClient(server.origin)
  if (person === 'anonymous') return client
  const answer = await client.call('login', { body: { email: emails[person], password } })
  expect([person, answer.status], answer.text).toEqual([person, 200])
  return client
}

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

  it.each(
    sized(
      specifiedRows,
      specifiedRows.filter(([endpoint]) => threeRows.has(endpoint)),
    ),
  )('makes %s with the payload of the specification, and hears what each kind of person is to hear', async (...row) => {
    expect(await askAsEach(row, await prepareStage(server, ownerId), as)).toEqual(row[1].answers)
  })

  it('goes from signing up to deleting its event, each step showing in the next', async () => {
    const organizer = createPlainClient(server.origin)
    const visitor = createPlainClient(server.origin)
    const ok = async (client: PlainClient, ...[name, options]: Parameters<PlainClient['call']>) => {
      const answer = await client.call(name, options)
      expect(answer.status, `${name}: ${answer.text}`).toBeLessThan(300)
      return answer.body
    }
    const account = { username: 'Petra', email: 'petra@example.com', password }
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
