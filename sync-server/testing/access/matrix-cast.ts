import { people, type Made, type Person } from './access-matrix.ts'
import { addSubscription, UNLIMITED } from '../billing-rows.ts'
import { applicationBody, eventBody } from '../route-rig.ts'
import { setTestServer, type TestClient, type TestServer } from '../test-server.ts'

/** What only the owner of an event may see. */
export const canary = {
  email: 'canary-applicant@example.com',
  phone: '+1 555 0199',
  promoCode: 'CANARY-CODE',
  instructions: 'canary-instructions',
}

/** A server, and each kind of person of the matrix with a device, for the tests of the calling file. */
export async function setMatrixCast() {
  const server = await setTestServer()
  const ids = {
    owner: await server.createUser('Olivia'),
    other: await server.createUser('Otto'),
    admin: await server.createUser('Ada', { isAdmin: true }),
  }
  await addSubscription(server.db, ids.owner, UNLIMITED)
  const clients = Object.fromEntries(people.map((person) => [person, server.client()])) as Record<Person, TestClient>
  const owner = server.client()

  return {
    server,
    /** Signs a person in afresh: a call may have signed them out or in as another. */
    arrive: async (person: Person) => {
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
    /** An event of the owner's with one pending application, full of what only the owner may see. */
    makeEvent: async (): Promise<Made> => {
      // Ending all other sessions ends this one too.
      await owner.signInAs(ids.owner)
      const { id: eventId } = await owner.ok('createEvent', {
        body: eventBody({ promoCode: canary.promoCode, beaconInstructions: canary.instructions }),
      })
      const body = applicationBody({ email: canary.email, phone: canary.phone })
      const { id, token } = await server.client().ok('applyAsBeacon', { params: { eventId }, body })
      return { eventId, applicationId: id, token, mailId: await makeFailedMail(server, eventId, id) }
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
