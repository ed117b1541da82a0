import { beforeEach, describe, expect, it } from 'vitest'
import { publishOpenings } from '../testing/jobs/opening-jobs.ts'
import { applicationBody, eventBody } from '../testing/route-rig.ts'
import { tablesHolding } from '../testing/tables-holding.ts'
import { setTestServer } from '../testing/test-server.ts'

const email = 'canaria@zwitscher.example'

let eventId: number
let one: { id: number; token: string }
let other: { id: number; token: string }
const server = await setTestServer({ config: { smtpUrl: 'smtp://127.0.0.1:1' } })
const olivia = await server.addOrganizer('Olivia', { deviceName: 'Olivia’s phone' })

/** Canaria is the one Beacon that an event has room for, and has applied for another event. */
beforeEach(async () => {
  await server.db('rate_limits').del()
  await server.db('jobs').del()
  await server.db('events').del()
  eventId = (await olivia.ok('createEvent', { body: eventBody({ maxBeacons: 1 }) })).id
  const { id: otherId } = await olivia.ok('createEvent', { body: eventBody({ name: 'Rooftop Mixer' }) })
  const apply = async (to: number, words: object) =>
    (await server.client().ok('applyAsBeacon', {
      params: { eventId: to },
      body: applicationBody({ email, ...words }),
    })) as { id: number; token: string }
  one = await apply(eventId, { firstName: 'Oneira', bio: 'oneira-bio' })
  other = await apply(otherId, { firstName: 'Otheria' })
  await olivia.ok('decideApplication', { params: { beaconId: one.id }, body: { status: 'approved' } })
  await publishOpenings(server.db)
})

const isClosed = async () => (await server.call('getEvent', { params: { id: eventId } })).body.applicationsClosed

const remove = async (token: string) => await server.client().call('deleteOwnApplication', { body: { token } })

describe('an applicant who deletes their data', () => {
  it('leaves nothing of this application on any device, and all of the other one', async () => {
    const { db } = server
    expect(await tablesHolding(db, ['oneira'])).toContain('sync_log')
    expect(await isClosed()).toBe(true)
    expect((await remove(one.token)).status).toBe(204)
    expect(await tablesHolding(db, ['oneira'])).toEqual([])
    expect(await db('applications').pluck('id')).toEqual([other.id])
    expect((await db('mails').where({ toAddress: email })).map(({ applicationId }) => applicationId)).toEqual([
      other.id,
    ])
    const told = db('sync_log')
      .where({ docId: String(one.id), deleted: true })
      .orderBy('scope')
    expect(await told.pluck('scope')).toEqual([`org:${olivia.userId}`, 'public'])
    expect(await isClosed()).toBe(false)
    const headers = { 'X-Application-Token': other.token }
    expect((await server.client().call('getOwnApplication', { headers })).body.firstName).toBe('Otheria')
  })

  it.each([
    ['tries', 'own-application'],
    ['deletions', 'own-deletion'],
  ])('waits after too many %s from one address', async (_, allowance) => {
    await remove('a'.repeat(43))
    if (allowance === 'own-deletion') await remove(other.token)
    const used = server.db('rate_limits').where('key', 'like', `${allowance}%`)
    expect(await used.update({ points: 1000 })).toBeGreaterThan(0)
    const before = await server.db('applications')
    expect((await remove(one.token)).status).toBe(429)
    expect(await server.db('applications')).toEqual(before)
  })
})
