import { beforeEach, describe, expect, it } from 'vitest'
import { setOrganizerPost } from '../testing/mail/mail-post.ts'
import { publishOpenings } from '../testing/jobs/opening-jobs.ts'
import { setOrganizerStage } from '../testing/organizer-stage.ts'

const stage = await setOrganizerStage()
const post = await setOrganizerPost(stage)
let eventId: number
beforeEach(async () => {
  eventId = (await stage.publish()).id
})

const minuteMs = 60_000
const takeIn = async (changes: object = {}, key?: string) =>
  await stage.run('addWalkIn', {
    as: stage.olivia,
    device: { id: 'phone', name: "Olivia's phone" },
    params: { id: eventId },
    body: { firstName: 'Wanda', lastName: 'Walker', seenAt: stage.clock.now.toISOString(), ...changes },
    ...(key === undefined ? {} : { key }),
  })

describe('a walk-in', () => {
  it('is approved and here at once, told apart, and decided by the organizer’s device', async () => {
    const { status, body } = await takeIn({ company: 'Pier Labs' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      firstName: 'Wanda',
      company: 'Pier Labs',
      email: '',
      status: 'approved',
      walkedIn: true,
      arrivedAt: stage.clock.now.toISOString(),
      decisions: [{ from: 'pending', to: 'approved', device: "Olivia's phone", by: 'organizer' }],
    })
    const documents = await stage.feed(`org:${stage.olivia.userId}`)
    expect(documents.findLast(({ collection }) => collection === 'applications')?.body).toContain('"walkedIn":true')
  })

  it('is not on the public page, which they have not agreed to', async () => {
    await takeIn()
    expect((await stage.run('listBeacons', { params: { id: eventId } })).body).toEqual([])
  })

  it('takes a place, and is not among the Beacons that guests count', async () => {
    eventId = (await stage.publish({ maxBeacons: 1 })).id
    await takeIn()
    await publishOpenings(stage.db)
    const { body } = await stage.run('getEvent', { params: { id: eventId } })
    expect(body).toMatchObject({ beaconCount: 0, applicationsClosed: true })
    expect((await stage.apply(eventId)).status).toBe(409)
  })

  it('with an address gets one mail, which opens an own page; without one none', async () => {
    await takeIn()
    await takeIn({ email: 'wanda@example.com' })
    const [mail, ...more] = await post.after(2 * minuteMs)
    expect([mail?.to, more]).toEqual([['wanda@example.com'], []])
    const token = /#application=([\w.-]+)/.exec(mail?.text ?? '')?.[1]
    const own = await stage.run('getOwnApplication', { applicationToken: token! })
    expect(own.body).toMatchObject({ firstName: 'Wanda', status: 'approved' })
  })

  it('is one, however often it arrives; another under its id is refused', async () => {
    const id = 123_456_789_012
    const key = '0192d3a0-0000-7000-8000-00000000000a'
    expect((await takeIn({ id }, key)).status).toBe(201)
    expect((await takeIn({ id }, key)).status).toBe(201)
    expect((await takeIn({ id, firstName: 'Will' })).body).toMatchObject({ code: 'already_exists' })
    expect(await stage.db('applications').where({ eventId })).toHaveLength(1)
  })

  it('who has applied with the same address is named instead', async () => {
    await stage.applicant(eventId, { email: 'bea@example.com' })
    const { body } = await takeIn({ email: 'BEA@example.com' })
    expect(body).toMatchObject({
      code: 'duplicate_application',
      message: 'Bea Moss has applied with this address. Approve them in the list.',
    })
  })

  it('seen by a clock that runs ahead arrived now', async () => {
    const { body } = await takeIn({ seenAt: new Date(stage.clock.now.getTime() + 60 * minuteMs).toISOString() })
    expect(body.arrivedAt).toBe(stage.clock.now.toISOString())
  })

  it('needs a name that can be seen', async () => {
    expect((await takeIn({ firstName: '\u200b' })).body).toMatchObject({ fields: { firstName: 'Required' } })
  })
})
