import { afterAll, beforeAll, expect } from 'vitest'
import type { Made, Person } from './access-matrix.ts'
import { addSubscription, UNLIMITED } from '../billing-rows.ts'
import { applicationBody, eventBody } from '../route-rig.ts'
import { startTestServer, type TestClient, type TestServer } from '../test-server.ts'

/** What only the owner of an event may see. */
export const canary = {
  email: 'canary-applicant@example.com',
  phone: '+1 555 0199',
  promoCode: 'CANARY-CODE',
  instructions: 'canary-instructions',
}

/** A server, and each kind of person of the matrix with a device. */
interface MatrixCast {
  readonly server: TestServer
  /** Signs a person in afresh: a call may have signed them out or in as somebody else. */
  arrive(person: Person): Promise<TestClient>
  /** An event of the owner's with one pending application, full of what only the owner may see. */
  makeEvent(): Promise<Made>
}

/** Sets the cast for the tests of the calling file. */
export function setMatrixCast(): MatrixCast {
  let server: TestServer
  let clients: Record<Person, TestClient>
  let owner: TestClient
  let ids: Record<Exclude<Person, 'anonymous' | 'expired'>, number>

  beforeAll(async () => {
    server = await startTestServer()
    ids = {
      owner: await server.createUser('Olivia'),
      other: await server.createUser('Otto'),
      admin: await server.createUser('Ada', { isAdmin: true }),
    }
    await addSubscription(server.db, ids.owner, UNLIMITED)
    clients = {
      anonymous: server.client(),
      expired: server.client(),
      other: server.client(),
      admin: server.client(),
      owner: server.client(),
    }
    owner = server.client()
  })
  afterAll(() => server.close())

  return {
    get server() {
      return server
    },
    arrive: async (person) => {
      const client = clients[person]
      client.cookies.clear()
      if (person === 'anonymous') return client
      await client.signInAs(ids[person === 'expired' ? 'owner' : person])
      if (person === 'expired')
        await server
          .db('sessions')
          .where({ deviceId: client.deviceId })
          .update({ expiresAt: new Date(0) })
      return client
    },
    makeEvent: async () => {
      // Whoever ends all other sessions ends this one too.
      await owner.signInAs(ids.owner)
      const created = await owner.call('createEvent', {
        body: eventBody({ promoCode: canary.promoCode, beaconInstructions: canary.instructions }),
      })
      expect(created.status, created.text).toBe(201)
      const eventId: number = created.body.id
      const applied = await server.call('applyAsBeacon', {
        params: { eventId },
        body: applicationBody({ email: canary.email, phone: canary.phone }),
      })
      expect(applied.status, applied.text).toBe(201)
      const applicationId: number = applied.body.id
      return {
        eventId,
        applicationId,
        token: applied.body.token,
        mailId: await makeFailedMail(server, eventId, applicationId),
      }
    },
  }
}

async function makeFailedMail(server: TestServer, eventId: number, applicationId: number): Promise<number> {
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
