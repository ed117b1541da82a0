import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { mailRenderers, publishEverything } from '../app/nouns.ts'
import { exportAccount } from '../personal-data/export-account.ts'
import { addSubscription, UNLIMITED } from '../testing/billing-rows.ts'
import { applicationBody, eventBody } from '../testing/route-rig.ts'
import { setTestServer, type TestClient } from '../testing/test-server.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'beaconry-take-down-'))

/** The map of the site is kept for a minute. */
let laterMs = 0

const reason = 'It sells tickets to another event.'
const visitor = () => server.client()
const takeDown = async (who: TestClient, words = reason) =>
  await who.call('takeEventDown', { params: { id: eventId }, body: { reason: words } })
const putBack = async (who: TestClient) => await who.call('putEventBack', { params: { id: eventId } })

/** What a visitor finds of the event: statuses of its page, picture, calendar, call, Beacons, and whether lists name it. */
async function seen() {
  laterMs += 61_000
  const get = async (address: string) => await visitor().request('GET', address)
  const names = (text: string) => text.includes(`"id":${eventId},`)
  return {
    page: (await get(`/events/${eventId}`)).status,
    applyPage: (await get(`/events/${eventId}/apply`)).status,
    preview: (await get(`/events/${eventId}/preview.png`)).status,
    calendar: (await get(`/events/${eventId}.ics`)).status,
    event: (await visitor().call('getEvent', { params: { id: eventId } })).status,
    beacons: (await visitor().call('listBeacons', { params: { id: eventId } })).body.length ?? 'none',
    isOnMap: (await get('/sitemap.xml')).text.includes(`/events/${eventId}<`),
    isListed: names((await visitor().call('listEvents')).text),
    isInState: names((await visitor().call('listEvents', { query: { state: 'Illinois' } })).text),
    isNearby: names((await visitor().call('listEvents', { query: { zipCode: '60601', radius: 50 } })).text),
  }
}

async function documents(scope: string) {
  return await server
    .db('sync_log')
    .where({ scope, collection: 'events', docId: String(eventId) })
    .first()
}
const pulled = async () => {
  const { documents: found } = (await olivia.call('pull', { query: { collection: 'events' } })).body
  return found.find(({ id }: { id: number }) => id === eventId)
}
const mails = async () => await server.db('mails').where({ kind: 'event-taken-down' }).orderBy('id')

writeFileSync(path.join(folder, 'index.html'), '<!doctype html><html><head><title>App</title></head></html>')
const server = await setTestServer({ staticFolder: folder, now: () => new Date(Date.now() + laterMs) })
const ada = await server.addMember('Ada', { isAdmin: true })
const olivia = await server.addMember('Olivia')
await addSubscription(server.db, olivia.userId, UNLIMITED)
await server.db('users').where({ id: olivia.userId }).update({ emailVerifiedAt: new Date() })
const { id: eventId } = await olivia.ok('createEvent', {
  body: eventBody({ state: 'Illinois', zipCode: '60601' }),
})
const applied = await server.call('applyAsBeacon', { params: { eventId }, body: applicationBody() })
await olivia.call('decideApplication', { params: { beaconId: applied.body.id }, body: { status: 'approved' } })
afterAll(() => rmSync(folder, { recursive: true }))

const there = { applyPage: 200, beacons: 1, calendar: 200, event: 200, page: 200, preview: 200 }
const shown = { ...there, isOnMap: true, isListed: true, isInState: true, isNearby: true }
const gone = { applyPage: 404, beacons: 'none', calendar: 404, event: 404, page: 404, preview: 404 }
const hidden = { ...gone, isOnMap: false, isListed: false, isInState: false, isNearby: false }

it('a reason is asked for, and nothing happens without one', async () => {
  expect((await takeDown(ada, '  ')).body.fields).toEqual({ reason: 'Required' })
  expect(await seen()).toEqual(shown)
})

it('an event that is taken down leaves everything public, and its organizer reads why', async () => {
  const { status, body } = await takeDown(ada, ` ${reason} `)
  expect([status, body.takenDown.reason, body.applicationCount]).toEqual([200, reason, 1])
  expect(await seen()).toEqual(hidden)
  const late = await server.call('applyAsBeacon', {
    params: { eventId },
    body: applicationBody({ email: 'late@example.com' }),
  })
  expect([late.status, late.body.code]).toEqual([404, 'not_found'])

  expect(await documents('public')).toMatchObject({ deleted: true, body: null })
  expect(JSON.parse((await documents(`org:${olivia.userId}`))?.body ?? '').takenDown.reason).toBe(reason)
  expect((await pulled()).takenDown.reason).toBe(reason)
  const [own] = (await olivia.call('listOrganizerEvents')).body
  expect([own.takenDown.reason, own.approvedCount]).toEqual([reason, 1])
  const listed = (await ada.call('listAdminEvents')).body.find(({ id }: { id: number }) => id === eventId)
  expect(listed).toMatchObject({ takenDown: { reason }, organizer: { id: olivia.userId, username: 'Olivia' } })
  expect(JSON.stringify(await exportAccount(server.db, olivia.userId))).toContain(reason)
  const audited = await server.db('audit_log').where({ route: 'takeEventDown', status: 200 }).select('subject')
  expect(audited).toEqual([{ subject: String(eventId) }])
})

it('one mail tells the organizer, however often the call is repeated', async () => {
  expect((await takeDown(ada, 'Another reason.')).body.takenDown.reason).toBe(reason)
  const [mail, ...more] = await mails()
  expect(more).toEqual([])
  expect(mail).toMatchObject({ toAddress: 'olivia@example.com', userId: olivia.userId, eventId, state: 'queued' })
  const site = { publicOrigin: 'https://beaconry.example', now: new Date(), greetedAs: 'Olivia' }
  const written = await mailRenderers['event-taken-down'](server.db, mail!, site)
  expect(written?.facts).toEqual([{ label: 'Reason', value: reason }])
})

it('editing, deciding, a cover and a republished feed do not bring it back', async () => {
  const edited = await olivia.call('updateEvent', {
    params: { id: eventId },
    body: eventBody({ name: 'Same thing, new name', state: 'Illinois', zipCode: '60601' }),
  })
  expect([edited.status, edited.body.takenDown.reason]).toEqual([200, reason])
  const [application] = (await olivia.call('listApplications', { params: { id: eventId } })).body
  for (const status of ['rejected', 'approved'])
    await olivia.call('decideApplication', { params: { beaconId: application.id }, body: { status } })
  await olivia.call('removeEventCover', { params: { id: eventId } })
  await server.db.transaction(async (trx) => await publishEverything(trx))
  expect(await seen()).toEqual(hidden)
})

it('what is put back is found again, and taking it down once more is told once more', async () => {
  expect((await putBack(ada)).body.takenDown).toBe(null)
  expect((await putBack(ada)).status).toBe(200)
  expect(await seen()).toEqual(shown)
  expect(await pulled()).not.toHaveProperty('takenDown')
  const [mail] = await mails()
  const site = { publicOrigin: 'https://beaconry.example', now: new Date(), greetedAs: 'Olivia' }
  expect(await mailRenderers['event-taken-down'](server.db, mail!, site)).toBe(undefined)
  await takeDown(ada)
  expect(await mails()).toHaveLength(2)
  expect((await olivia.call('deleteEvent', { params: { id: eventId } })).status).toBe(204)
  expect((await putBack(ada)).status).toBe(404)
})
