import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { beforeEach, describe, expect, it } from 'vitest'
import { addSubscription } from '../testing/billing-rows.ts'
import { applicationBody, eventBody } from '../testing/route-rig.ts'
import { setTestServer, statusesOf } from '../testing/test-server.ts'

let eventId: number
let applied: { id: number; token: string }

const picture = async (background: string) =>
  (
    await sharp({ create: { width: 400, height: 400, channels: 3, background } })
      .jpeg()
      .toBuffer()
  ).toString('base64')

const server = await setTestServer()
const olivia = server.client()
const body = { username: 'Olivia', email: 'olivia@example.com', password: 'a long password' }
await addSubscription(server.db, (await olivia.call('register', { body })).body.id, 3)
await server.db('users').where({ username: 'Olivia' }).update({ emailVerifiedAt: new Date() })
const amber = await picture('#f0a030')
const teal = await picture('#107070')
beforeEach(async () => {
  await server.db('rate_limits').del()
  eventId = (await olivia.call('createEvent', { body: eventBody() })).body.id
  applied = (await server.call('applyAsBeacon', { params: { eventId }, body: applicationBody() })).body
})

const fetched = async (path: string, headers: Record<string, string> = {}) =>
  await server.client().request('GET', path, { headers })

describe('an uploaded cover', () => {
  const upload = async (given: string) =>
    await olivia.call('setEventCover', { params: { id: eventId }, body: { picture: given } })
  const addressOf = async () => {
    const { coverHash } = (await server.call('getEvent', { params: { id: eventId } })).body
    return coverHash && `/pictures/events/${eventId}/${coverHash}.webp`
  }

  it('has an address until it or its event is gone, and stays in no cache for long', async () => {
    expect(await addressOf()).toBeUndefined()
    expect((await upload(amber)).status).toBe(200)
    const address = (await addressOf())!
    const answer = await fetched(address)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/webp')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(
      (await fetched(address, { 'if-none-match': answer.headers.get('etag') ?? '', 'cache-control': 'max-age=0' }))
        .status,
    ).toBe(304)
    await upload(teal)
    expect((await fetched(address)).status).toBe(404)
    const other = (await addressOf())!
    expect((await fetched(other)).status).toBe(200)
    await olivia.call('removeEventCover', { params: { id: eventId } })
    expect([await addressOf(), (await fetched(other)).status]).toEqual([undefined, 404])
    await upload(teal)
    await olivia.call('deleteEvent', { params: { id: eventId } })
    expect((await fetched(other)).status).toBe(404)
    expect(await server.db('event_covers').where({ eventId })).toEqual([])
  })

  it('is shown to nobody once its organizer’s account is closed', async () => {
    await upload(amber)
    const address = (await addressOf())!
    await server.db('users').where({ username: 'Olivia' }).update({ closedAt: new Date() })
    const { status } = await fetched(address)
    await server.db('users').where({ username: 'Olivia' }).update({ closedAt: null })
    expect([status, (await fetched(address)).status]).toEqual([404, 200])
  })

  it('is told once, and the same again changes nothing', async () => {
    const version = async () =>
      (await server.db('sync_scope').where({ scope: 'public' }).first('version'))?.version ?? 0
    const before = await version()
    await upload(amber)
    await upload(amber)
    expect((await version()) - before).toBe(1)
  })

  it('is not decoded more than thirty times an hour', async () => {
    expect([...new Set(await statusesOf(31, () => upload('AAAA')))]).toEqual([400, 429])
  })

  it('is refused with its reason, and one of 10 MB before it is read', async () => {
    const svg = await upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64'))
    expect([svg.status, svg.body.fields]).toEqual([
      400,
      { picture: 'Please choose a picture in JPEG, PNG or WebP format.' },
    ])
    expect((await upload('A'.repeat(10_000_000))).status).toBe(413)
    const path = `/api/events/${eventId}/cover`
    const lying = await olivia.request('PUT', path, {
      body: Buffer.from(amber, 'base64').toString('latin1'),
      headers: { 'content-type': 'image/jpeg' },
    })
    expect(lying.status, 'whatever it is called').toBe(415)
    expect(await addressOf()).toBeUndefined()
  })
})

describe('the photo of a Beacon', () => {
  const upload = async (given = amber) =>
    await server.call('setFace', { body: { token: applied.token, picture: given } })
  const decide = async (status: 'approved' | 'rejected') =>
    await olivia.call('decideApplication', { params: { beaconId: applied.id }, body: { status } })
  const shown = async () => (await server.call('listBeacons', { params: { id: eventId } })).body[0]

  it('is public while its Beacon is, and asked for anew each time', async () => {
    const { faceHash } = (await upload()).body
    const address = `/pictures/beacons/${applied.id}/${faceHash}.webp`
    const status = async () => (await fetched(address)).status
    expect(await status(), 'pending').toBe(404)
    await decide('approved')
    expect((await shown())?.faceHash).toBe(faceHash)
    const answer = await fetched(address)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
    await server.call('sayComing', { body: { token: applied.token, coming: false } })
    expect(await status(), 'absent').toBe(404)
    expect((await fetched(address, { 'if-none-match': `"${faceHash}"` })).status).toBe(404)
    await server.call('sayComing', { body: { token: applied.token, coming: true } })
    expect(await status()).toBe(200)
    await decide('rejected')
    expect(await status(), 'rejected').toBe(404)
    await decide('approved')
    expect(await status(), 'approved again').toBe(200)
    await server.db('users').where({ username: 'Olivia' }).update({ closedAt: new Date() })
    expect(await status(), 'of a closed account').toBe(404)
    await server.db('users').where({ username: 'Olivia' }).update({ closedAt: null })
    await server.call('withdrawApplication', { body: { token: applied.token } })
    expect(await status(), 'withdrawn').toBe(404)
    expect(await server.db('application_faces').where({ applicationId: applied.id })).toEqual([])
    expect((await upload()).status).toBe(409)
  })

  it('is shown to nobody while its event is taken down', async () => {
    const { faceHash } = (await upload()).body
    await decide('approved')
    await server
      .db('events')
      .where({ id: eventId })
      .update({ takenDownAt: new Date(), takenDownReason: 'It sells tickets.' })
    expect((await fetched(`/pictures/beacons/${applied.id}/${faceHash}.webp`)).status).toBe(404)
  })

  it('is taken back by who gave it', async () => {
    await upload()
    await decide('approved')
    expect((await server.call('removeFace', { body: { token: applied.token } })).body.faceHash).toBeUndefined()
    expect((await shown())?.faceHash).toBeUndefined()
    expect(await server.db('application_faces').where({ applicationId: applied.id })).toEqual([])
    expect((await server.call('setFace', { body: { token: 'a'.repeat(43), picture: amber } })).status).toBe(404)
  })

  const seenByOrganizer = async () =>
    (await olivia.ok('listApplications', { params: { id: eventId } })).find(
      ({ id }: { id: number }) => id === applied.id,
    )

  it('is shown to the organizer before it is public, and to nobody else', async () => {
    const face = async (client = olivia) => await client.call('getFace', { params: { beaconId: applied.id } })
    expect((await face()).status).toBe(404)
    const { faceHash } = (await upload()).body
    const { body } = await face()
    expect(createHash('sha256').update(Buffer.from(body.picture, 'base64')).digest('hex')).toBe(faceHash)
    expect((await face(await server.addMember(`Otto${eventId}`))).status).toBe(404)
    await decide('rejected')
    expect((await face()).status).toBe(200)
  })

  it('of an approved Beacon is a public change, which the organizer hears of and agrees to', async () => {
    await upload()
    await decide('approved')
    expect((await seenByOrganizer()).publicChanges).toBeUndefined()
    const before = (await seenByOrganizer()).faceHash
    await upload(teal)
    const { at, changes } = (await seenByOrganizer()).publicChanges
    expect(changes).toEqual([{ field: 'faceHash', was: before }])
    const news = await server.db('mails').where({ eventId, kind: 'beacon-news' }).first('payload')
    expect(news?.payload).toEqual({ changed: [applied.id] })
    const agreed = await olivia.call('markApplication', { params: { beaconId: applied.id }, body: { changesSeen: at } })
    expect(agreed.body.publicChanges).toBeUndefined()
    await server.call('removeFace', { body: { token: applied.token } })
    expect((await seenByOrganizer()).publicChanges.changes).toHaveLength(1)
    await upload(teal)
    expect((await seenByOrganizer()).publicChanges, 'as agreed to').toBeUndefined()
  })
})
