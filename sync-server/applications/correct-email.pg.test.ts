import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { setOrganizerPost } from '../testing/mail/mail-post.ts'
import { setOrganizerStage } from '../testing/organizer-stage.ts'

const stage = await setOrganizerStage()
const post = await setOrganizerPost(stage)

const minuteMs = 60_000
const right = 'bea@example.com'
let eventId: number
let id: number
let token: string

beforeEach(async () => {
  eventId = (await stage.publish()).id
  const { body } = await stage.apply(eventId, { email: 'bea@exmaple.com' })
  ;({ id, token } = body)
})

const correct = async (email: string, key: string = randomUUID()) =>
  await stage.run('correctEmail', { as: stage.olivia, params: { beaconId: id }, body: { email }, key })
/** Lets minutes pass, and answers what came to applicants since: to whom, and about what. */
const arrived = async (minutes = 2) =>
  (await post.after(minutes * minuteMs))
    .filter(({ to }) => to[0] !== stage.olivia.email)
    .map(({ to, subject }) => [to[0], subject])

const acknowledged = 'We have your application for Harbor Mixer'
const approved = "You're a Beacon for Harbor Mixer!"

describe('an email address that the organizer corrects', () => {
  it('is the new one on all devices, and the link from before stays valid', async () => {
    expect((await correct(right)).body).toMatchObject({ id, email: right, status: 'pending' })
    const own = await stage.run('getOwnApplication', { applicationToken: token })
    expect(own.body).toMatchObject({ id, email: right })
    const feed = await stage.feed(`org:${stage.olivia.userId}`)
    expect(feed.find(({ collection }) => collection === 'applications')?.body).toContain(`"email":"${right}"`)
  })

  it('gets the acknowledgement again, once, whose link opens the own page', async () => {
    expect(await arrived()).toEqual([['bea@exmaple.com', acknowledged]])
    const key = randomUUID()
    await correct(right, key)
    await correct(right, key)
    await correct(right)
    const [mail, ...more] = await post.after(2 * minuteMs)
    expect([mail?.to, mail?.subject, more]).toEqual([[right], acknowledged, []])
    const mailed = /#application=(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
    expect((await stage.run('getOwnApplication', { applicationToken: mailed })).body).toMatchObject({ id })
  })

  it('gets the decision again, and not the acknowledgement that it overtook', async () => {
    await arrived()
    await stage.decide(id, { status: 'approved' })
    expect(await arrived()).toEqual([['bea@exmaple.com', approved]])
    await correct(right)
    expect(await arrived()).toEqual([[right, approved]])
    await stage.decide(id, { status: 'rejected' })
    expect(await arrived()).toEqual([[right, 'Your approval for Harbor Mixer was withdrawn']])
  })

  it('gets the mails that still wait, once', async () => {
    await arrived()
    await stage.decide(id, { status: 'approved' })
    await correct(right)
    expect(await arrived()).toEqual([[right, approved]])
    expect(await arrived()).toEqual([])
  })

  it('that is corrected twice within a minute gets one mail, at the last address', async () => {
    await arrived()
    await correct('bea@example.org')
    await correct(right)
    expect(await arrived()).toEqual([[right, acknowledged]])
  })

  it('gets the mail that the mistyped one could not take', async () => {
    await arrived()
    await stage.db('mails').where({ applicationId: id }).update({ state: 'failed', lastError: '550' })
    await correct(right)
    expect(await arrived()).toEqual([[right, acknowledged]])
  })

  it('gets no mail where only the case of letters changes', async () => {
    await arrived()
    await correct('Bea@exmaple.com')
    expect(await arrived()).toEqual([])
  })
})

it('a walk-in without an address gets the approval once there is one', async () => {
  const { body } = await stage.run('addWalkIn', {
    as: stage.olivia,
    params: { id: eventId },
    body: { firstName: 'Wanda', lastName: 'Walker', seenAt: stage.clock.now.toISOString() },
  })
  await arrived()
  id = body.id
  await correct('wanda@example.com')
  expect(await arrived()).toEqual([['wanda@example.com', approved]])
})

it('an address that another application has is refused with the name, and nothing changes', async () => {
  await stage.applicant(eventId, { firstName: 'Ben', lastName: 'Berg', email: right })
  const refused = await correct('BEA@example.com')
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { code: 'duplicate_application', current: { id, email: 'bea@exmaple.com' } },
  ])
  expect((refused.body as unknown as { message: string }).message).toContain('Ben Berg')
})

it('nobody but the organizer corrects an address, and only to what is one', async () => {
  const call = { params: { beaconId: id }, body: { email: right } }
  expect((await stage.run('correctEmail', { ...call, as: stage.otto })).status).toBe(404)
  expect((await correct('bea at example.com')).status).toBe(400)
  expect((await correct('')).status).toBe(400)
})
