import { describe, expect, it } from 'vitest'
import { headers } from '#shared/contract/request.ts'
import { endpoint } from '#shared/contract/endpoints.ts'
import { answerFor, matrix, members, names, people, specOf, type Made, type Person } from '../testing/access-matrix.ts'
import { addSubscription, UNLIMITED } from '../testing/billing-rows.ts'
import { applicationBody, eventBody } from '../testing/route-rig.ts'
import { setTestServer, type TestClient } from '../testing/test-server.ts'

/** What only the owner of an event may see. */
const canary = {
  email: 'canary-applicant@example.com',
  phone: '+1 555 0199',
  promoCode: 'CANARY-CODE',
  instructions: 'canary-instructions',
}

const server = await setTestServer()
const ids = {
  owner: await server.createUser('Olivia'),
  other: await server.createUser('Otto'),
  admin: await server.createUser('Ada', { isAdmin: true }),
  manager: await server.createUser('Mara'),
  reviewer: await server.createUser('Rita'),
  door: await server.createUser('Dora'),
  removed: await server.createUser('Rex'),
}
const isMember = (person: Person): person is (typeof members)[number] => members.some((member) => member === person)
for (const role of ['manager', 'reviewer', 'door'] as const)
  await server.db('team_members').insert({ organizerId: ids.owner, userId: ids[role], role, joinedAt: new Date() })
await addSubscription(server.db, ids.owner, UNLIMITED)
const clients = Object.fromEntries(people.map((person) => [person, server.client()])) as Record<Person, TestClient>
const owner = server.client()

/** Signs a person in afresh: a call may have signed them out or in as another. */
async function arrive(person: Person): Promise<TestClient> {
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
}

/** An event of the owner's with one pending application, full of what only the owner may see. */
async function makeEvent(): Promise<Made> {
  // Ending all other sessions ends this one too.
  await owner.signInAs(ids.owner)
  const { id: eventId } = await owner.ok('createEvent', {
    body: eventBody({ promoCode: canary.promoCode, beaconInstructions: canary.instructions }),
  })
  const body = applicationBody({ email: canary.email, phone: canary.phone })
  const { id, token } = await server.client().ok('applyAsBeacon', { params: { eventId }, body })
  const { id: messageId } = await owner.ok('sendMessage', {
    params: { id: eventId },
    body: { audience: 'pending', applicationIds: [id], text: 'See you soon.' },
  })
  return { eventId, applicationId: id, token, mailId: await makeFailedMail(eventId, id), messageId, isDoor: false }
}

const nowhere: Made = {
  eventId: 2_000_000_000,
  applicationId: 2_000_000_000,
  token: 'none',
  mailId: 2_000_000_000,
  messageId: 2_000_000_000,
  isDoor: false,
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

/** A cache may keep them as long as it asks again. */
const saysTheSameToAll: ReadonlySet<string> = new Set(
  'findSession listEvents getEvent listBeacons listPlans getBillingMode getSite getPushKey describeApi'.split(' '),
)

describe('who may do what', () => {
  it.each(names)('%s answers each kind of person as the matrix says', async (name) => {
    await server.db('rate_limits').delete()
    // Only what a call is about has to be there.
    const isAboutEvent = (matrix[name].input?.length ?? 0) > 0
    let made = isAboutEvent ? await makeEvent() : nowhere
    for (const person of people) {
      const client = await arrive(person)
      const expected = answerFor(name, person)
      const isDoor = person === 'door'
      if (isDoor && matrix[name].door === 'ok')
        await server.db('applications').where({ id: made.applicationId }).update({ status: 'approved' })
      const input = matrix[name].input?.({ ...made, isDoor })
      const acting = isMember(person) ? { [headers.organizer]: String(ids.owner) } : {}
      const answer = await client.call(name, { ...input, headers: { ...input?.headers, ...acting } })
      expect(answer.status, `${person}: ${answer.text}`).toBe(expected === 'ok' ? specOf(name).status : expected)
      const isForAll = ['anonymous', 'expired'].includes(person) && saysTheSameToAll.has(name)
      expect([person, answer.headers.get('cache-control')?.split(',')[0]]).toEqual([
        person,
        isForAll ? 'no-cache' : 'no-store',
      ])
      if (answer.status === 401 && name !== 'login')
        expect(answer.body.code).toBe(person === 'expired' ? 'session_expired' : 'sign_in_required')
      if (!['owner', 'manager', 'reviewer'].includes(person)) {
        const secrets = matrix[name].byToken ? [canary.promoCode, canary.instructions] : Object.values(canary)
        for (const secret of secrets) expect(answer.text, `${person} sees a secret`).not.toContain(secret)
      }
      // Whoever may do it may have left nothing to do for the next.
      if (isAboutEvent && expected === 'ok' && endpoint(name).method !== 'GET') made = await makeEvent()
    }
  })

  it("answers a stranger's event and a missing one alike", async () => {
    const made = await makeEvent()
    const client = await arrive('other')
    for (const name of names.filter((candidate) => specOf(candidate).access === 'owner')) {
      const strangers = await client.call(name, matrix[name].input?.(made))
      const missing = await client.call(name, matrix[name].input?.(nowhere))
      const strip = ({ status, body }: { status: number; body: object }) => [status, { ...body, requestId: '' }]
      expect(strip(strangers), name).toEqual(strip(missing))
    }
  })
})
