import { expect, it } from 'vitest'
import { mailRenderers } from '../app/nouns.ts'
import { createPasswords } from '../accounts/passwords.ts'
import { applicationBody, eventBody } from '../testing/route-rig.ts'
import { setTestServer, type TestClient } from '../testing/test-server.ts'

const server = await setTestServer({ config: { demoAccounts: false } })
const ada = await server.addMember('Ada', { isAdmin: true })
const olivia = await server.addOrganizer('Olivia')
const password = 'lantern street'
const passwordHash = await createPasswords().hash(password, 'a test')
await server.db('users').where({ id: olivia.userId }).update({ passwordHash, emailVerifiedAt: new Date() })
const { id: eventId } = await olivia.ok('createEvent', { body: eventBody() })
const { id: beaconId } = await server
  .call('applyAsBeacon', { params: { eventId }, body: applicationBody() })
  .then(bodyOf)
await olivia.call('decideApplication', { params: { beaconId }, body: { status: 'approved' } })

function bodyOf({ body }: { readonly body: any }) {
  return body
}
const params = { id: olivia.userId }
const act = async (name: 'endAccountSessions' | 'closeAccount' | 'reopenAccount', who: TestClient = ada) =>
  (await who.call(name, { params })).status
const signIn = async () => {
  const client = server.client()
  const body = { email: 'olivia@example.com', password }
  return { client, status: (await client.call('login', { body })).status }
}
const shown = async () => [
  (await server.call('getEvent', { params: { id: eventId } })).status,
  (await server.call('listBeacons', { params: { id: eventId } })).body.length ?? 'none',
  (
    await server
      .db('sync_log')
      .where({ scope: 'public', collection: 'events', docId: String(eventId) })
      .first()
  )?.deleted,
]
const mails = async () => await server.db('mails').where({ kind: 'account-closed' }).orderBy('id')

it('signed out everywhere, an account signs in again', async () => {
  const before = await signIn()
  expect(await act('endAccountSessions')).toBe(204)
  expect([await olivia.whoAmI(), await before.client.whoAmI()]).toEqual(['session_revoked', 'session_revoked'])
  expect((await signIn()).status).toBe(200)
})

it('closed, it admits nobody, shows nothing, mails nobody, and one mail says so', async () => {
  const before = await signIn()
  const waiting = async () =>
    await server.db('mails').where({ organizerId: olivia.userId }).whereIn('state', ['held', 'queued']).pluck('kind')
  expect(await waiting()).not.toEqual([])
  expect([await act('closeAccount'), await act('closeAccount')]).toEqual([204, 204])
  expect(await before.client.whoAmI()).toBe('session_revoked')
  expect((await signIn()).status).toBe(401)
  const body = { username: 'Olivia', email: 'olivia@example.com', password }
  expect((await server.call('register', { body })).status).toBe(409)
  expect(await shown()).toEqual([404, 'none', true])
  expect(await waiting()).toEqual([])
  expect((await ada.ok('getAccount', { params })).closedAt).toEqual(expect.any(String))

  const [mail, ...more] = await mails()
  expect([mail?.toAddress, mail?.state, more]).toEqual(['olivia@example.com', 'queued', []])
  const site = { publicOrigin: 'https://beaconry.example', now: new Date(), greetedAs: 'Olivia' }
  expect((await mailRenderers['account-closed'](server.db, mail!, site))?.subject).toBe('We have closed your account')
})

it('a session that begins while it is closed opens nothing', async () => {
  const late = server.client()
  await late.signInAs(olivia.userId)
  expect(await late.whoAmI()).toBe('session_revoked')
})

it('reopened, it is as before, and its mail does not leave any more', async () => {
  expect([await act('reopenAccount'), await act('reopenAccount')]).toEqual([204, 204])
  expect(await shown()).toEqual([200, 1, false])
  const { client, status } = await signIn()
  expect(status).toBe(200)
  expect(await client.ok('listOrganizerEvents')).toHaveLength(1)
  const [mail] = await mails()
  const site = { publicOrigin: 'https://beaconry.example', now: new Date(), greetedAs: 'Olivia' }
  expect(await mailRenderers['account-closed'](server.db, mail!, site)).toBe(undefined)
})

it('admins close no account of their own, and neither close nor open one that is deleted', async () => {
  expect((await ada.call('closeAccount', { params: { id: ada.userId } })).status).toBe(403)
  const deleted = { passwordHash: 'deleted', closedAt: new Date() }
  await server.db('users').where({ id: olivia.userId }).update(deleted)
  expect([await act('closeAccount'), await act('reopenAccount')]).toEqual([404, 404])
  expect((await signIn()).status).toBe(401)
})
