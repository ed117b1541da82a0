import { expect, it } from 'vitest'
import { mailRenderers, publishEverything } from '../app/nouns.ts'
import { exportAccount } from '../personal-data/export-account.ts'
import { everywhere, nowhere, setPublicTraces } from '../testing/public-traces.ts'

const reason = 'It sells tickets to another event.'
const { server, olivia, publish, edit, seen } = await setPublicTraces()
const ada = await server.addMember('Ada', { isAdmin: true })
await server.db('users').where({ id: olivia.userId }).update({ emailVerifiedAt: new Date() })
const { eventId, beaconId } = await publish()

const takeDown = async (words: string) =>
  await ada.call('takeEventDown', { params: { id: eventId }, body: { reason: words } })
const putBack = async () => await ada.call('putEventBack', { params: { id: eventId } })
const isIt = ({ id }: { readonly id: number }) => id === eventId

async function documents(scope: string) {
  return await server
    .db('sync_log')
    .where({ scope, collection: 'events', docId: String(eventId) })
    .first()
}
const pulled = async () => (await olivia.ok('pull', { query: { scope: 'org' } })).documents.find(isIt)
const mails = async () => await server.db('mails').where({ kind: 'event-taken-down' }).orderBy('id')
/** Writes the mail as it would leave now. */
const written = async () => {
  const [mail] = await mails()
  const site = { publicOrigin: 'https://beaconry.example', now: new Date(), greetedAs: 'Olivia' }
  return await mailRenderers['event-taken-down'](server.db, mail!, site)
}

it('an event that is taken down leaves everything public, and its organizer reads why', async () => {
  const { status, body } = await takeDown(` ${reason} `)
  expect([status, body.takenDown.reason, body.applicationCount]).toEqual([200, reason, 1])
  expect(await seen(eventId)).toEqual(nowhere)
  expect(await documents('public')).toMatchObject({ deleted: true, body: null })
  expect(JSON.parse((await documents(`org:${olivia.userId}`))?.body ?? '').takenDown.reason).toBe(reason)
  expect((await pulled()).takenDown.reason).toBe(reason)
  const [own] = (await olivia.call('listOrganizerEvents')).body
  expect([own.takenDown.reason, own.approvedCount]).toEqual([reason, 1])
  const listed = (await ada.ok('listAdminEvents')).find(isIt)
  expect(listed).toMatchObject({ takenDown: { reason }, organizer: { id: olivia.userId, username: 'Olivia' } })
  expect(JSON.stringify(await exportAccount(server.db, olivia.userId))).toContain(reason)
})

it('one mail tells the organizer, however often the call is repeated', async () => {
  expect((await takeDown('Another reason.')).body.takenDown.reason).toBe(reason)
  const [mail, ...more] = await mails()
  expect(more).toEqual([])
  expect(mail).toMatchObject({ toAddress: 'olivia@example.com', userId: olivia.userId, eventId, state: 'queued' })
  expect((await written())?.facts).toEqual([{ label: 'Reason', value: reason }])
})

it('editing, deciding, a cover and a republished feed do not bring it back', async () => {
  expect((await edit(eventId, { name: 'Harbor Mixer, once more' })).takenDown.reason).toBe(reason)
  for (const status of ['rejected', 'approved'])
    await olivia.call('decideApplication', { params: { beaconId }, body: { status } })
  await olivia.call('removeEventCover', { params: { id: eventId } })
  await server.db.transaction(async (trx) => await publishEverything(trx))
  expect(await seen(eventId)).toEqual(nowhere)
})

it('what is put back is found again, and taking it down once more is told once more', async () => {
  expect((await putBack()).body.takenDown).toBe(null)
  expect((await putBack()).status).toBe(200)
  expect(await seen(eventId)).toEqual(everywhere)
  expect(await pulled()).not.toHaveProperty('takenDown')
  expect(await written()).toBe(undefined)
  await takeDown(reason)
  expect(await mails()).toHaveLength(2)
  expect((await olivia.call('deleteEvent', { params: { id: eventId } })).status).toBe(204)
  expect((await putBack()).status).toBe(404)
})
