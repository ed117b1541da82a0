import { beforeEach, describe, expect, it } from 'vitest'
import type { Message } from '#shared/applications/message-calls.ts'
import { setOrganizerPost } from '../testing/mail/mail-post.ts'
import { eventBody } from '../testing/route-rig.ts'
import { setOrganizerStage } from '../testing/organizer-stage.ts'

const stage = await setOrganizerStage()
const post = await setOrganizerPost(stage)
let eventId: number
beforeEach(async () => {
  eventId = (await stage.publish()).id
  await stage
    .db('users')
    .where({ id: stage.olivia.userId })
    .update({ emailVerifiedAt: new Date(0) })
})

const secondMs = 1_000
const minuteMs = 60_000
/** Lets the mails about applying and deciding leave, so that only messages follow. */
const settle = async () => void (await post.after(20 * minuteMs))
const opened = async (id: number) =>
  await stage.db('applications').where({ id }).update({ linkOpenedAt: stage.clock.now })

async function beacon(name: string): Promise<{ id: number; token: string }> {
  const { id, token } = (await stage.apply(eventId, { firstName: name, email: `${name.toLowerCase()}@example.com` }))
    .body
  await stage.decide(id, { status: 'approved' })
  await opened(id)
  return { id, token }
}
const write = async (applicationIds: readonly number[], changes: object = {}) =>
  await stage.run('sendMessage', {
    as: stage.olivia,
    device: { id: 'phone', name: "Olivia's phone" },
    params: { id: eventId },
    body: { audience: 'approved', applicationIds, text: 'The door is on Pier Street.', ...changes },
  })
const takeBack = async (id: number) => await stage.run('cancelMessage', { as: stage.olivia, params: { id } })
const ownPage = async (token: string) =>
  (await stage.run('getOwnApplication', { applicationToken: token })).body.messages

describe('a message', () => {
  it('is held for a minute, then reaches each person once by mail and on their own page', async () => {
    const [bea, bo] = [await beacon('Bea'), await beacon('Bo')]
    await settle()
    const sent = await write([bea.id, bo.id, bea.id], { text: 'Hi [Beacon Name], see you at [Event Name].' })
    expect(sent.status).toBe(201)
    expect(await post.after(59 * secondMs)).toEqual([])
    expect(await ownPage(bea.token)).toEqual([])
    const mails = await post.after(2 * secondMs)
    expect(mails.map(({ to }) => to[0]).sort()).toEqual(['bea@example.com', 'bo@example.com'])
    expect(mails[0]?.subject).toBe('A message about Harbor Mixer')
    expect(mails.find(({ to }) => to[0] === 'bea@example.com')?.text).toContain('Hi Bea Moss, see you at Harbor Mixer.')
    expect(await ownPage(bea.token)).toMatchObject([{ text: 'Hi Bea Moss, see you at Harbor Mixer.' }])
    expect(await post.after(60 * minuteMs)).toEqual([])
  })

  it('that is taken back while it is held reaches nobody; once it has left it cannot be', async () => {
    const bea = await beacon('Bea')
    await settle()
    const { id } = (await write([bea.id])).body
    expect((await takeBack(id)).body.cancelledAt).not.toBeNull()
    expect((await takeBack(id)).status).toBe(200)
    const other = (await write([bea.id], { text: 'Another one' })).body
    const [mail, ...more] = await post.after(minuteMs)
    expect([mail?.text.includes('Another one'), more]).toEqual([true, []])
    expect((await takeBack(other.id)).body).toMatchObject({ code: 'not_allowed_now' })
    expect(await ownPage(bea.token)).toHaveLength(1)
  })

  it('to those who are here goes to those who are here on its day of the event', async () => {
    const [bea, bo] = [await beacon('Bea'), await beacon('Bo')]
    await settle()
    const evenings = ['2099-03-02T00:40:00.000Z', '2099-03-03T00:40:00.000Z']
    const [first, second] = evenings
    const see = async (id: number, presence: object) =>
      await stage.db('applications').where({ id }).update({ arrivedAt: first, presence })
    await see(bea.id, { '2099-03-01': first })
    await see(bo.id, { '2099-03-01': first, '2099-03-02': second })
    const here = async (now: string) => {
      stage.clock.now = new Date(now)
      const { body } = await write([bea.id, bo.id], { audience: 'here' })
      return new Set(body.recipients.map(({ applicationId }) => applicationId))
    }
    expect(await here('2099-03-02T01:00:00Z')).toEqual(new Set([bea.id, bo.id]))
    expect(await here('2099-03-03T01:00:00Z')).toEqual(new Set([bo.id]))
    expect(await here('2099-03-04T18:00:00Z')).toEqual(new Set([bea.id, bo.id]))
  })

  it('under an id that is stored already is that message', async () => {
    const bea = await beacon('Bea')
    await settle()
    const id = 123_456_789_012
    expect([(await write([bea.id], { id })).status, (await write([bea.id], { id })).status]).toEqual([201, 201])
    expect(await post.after(minuteMs)).toHaveLength(1)
  })

  it('spares whoever is not meant any more, when it arrives and when it leaves', async () => {
    const [bea, bo, ben] = [await beacon('Bea'), await beacon('Bo'), await beacon('Ben')]
    await settle()
    await stage.decide(bo.id, { status: 'rejected' })
    await post.after(2 * minuteMs)
    const silent = await write([bea.id, bo.id, ben.id], { audience: 'silent' })
    expect((silent.body as Message).recipients.map(({ applicationId }) => applicationId).sort()).toEqual(
      [bea.id, ben.id].sort(),
    )
    await stage.run('sayComing', { body: { token: ben.token, coming: true } })
    expect((await post.after(minuteMs)).map(({ to }) => to[0])).toEqual(['bea@example.com'])
    expect((await write([bo.id])).body).toMatchObject({ code: 'not_allowed_now' })
  })

  it('never goes to people of another event, nor about one that was taken down', async () => {
    const bea = await beacon('Bea')
    const other = (await stage.run('createEvent', { as: stage.olivia, body: eventBody() })).body
    const stranger = await stage.applicant(other.id, { email: 'stranger@example.com' })
    expect((await write([stranger], { audience: 'selected' })).body).toMatchObject({ code: 'not_allowed_now' })
    await stage.db('events').where({ id: eventId }).update({ takenDownAt: new Date(), takenDownReason: 'Spam' })
    expect((await write([bea.id])).body).toMatchObject({ code: 'not_allowed_now' })
  })

  it('of an organizer whose address is not confirmed loses its links, addresses and numbers', async () => {
    const bea = await beacon('Bea')
    await stage.db('users').where({ id: stage.olivia.userId }).update({ emailVerifiedAt: null })
    await settle()
    await write([bea.id], { text: 'Look at https://evil.example now\nor call +1 555 0199 123, me@evil.example' })
    const [mail] = await post.after(minuteMs)
    expect(mail?.text).toContain('Look at now\nor call')
    expect(`${mail?.raw} ${JSON.stringify(await ownPage(bea.token))}`).not.toMatch(/evil|0199/)
  })

  it('is refused without words, above 1,000 characters, or naming a placeholder too often', async () => {
    const bea = await beacon('Bea')
    for (const text of [' \u200b ', 'x'.repeat(1001), '[Event Name] '.repeat(6)]) {
      expect((await write([bea.id], { text })).status).toBe(400)
    }
  })

  it('costs a point of its event’s allowance, a refused one nothing', async () => {
    const bea = await beacon('Bea')
    await write([bea.id])
    await write([bea.id + 1])
    expect(stage.spent.filter((one) => one.startsWith('message '))).toEqual([`message event:${eventId}`])
  })

  it('brought again after a restore is left to a person, who may know that it arrived', async () => {
    const bea = await beacon('Bea')
    await settle()
    await stage.run('sendMessage', {
      as: stage.olivia,
      again: true,
      params: { id: eventId },
      body: { audience: 'approved', applicationIds: [bea.id], text: 'Again' },
    })
    expect(await post.after(minuteMs)).toEqual([])
    const { messages } = (await stage.run('listMessages', { as: stage.olivia, params: { id: eventId } })).body
    expect(messages[0]?.recipients).toEqual([{ applicationId: bea.id, mail: 'failed' }])
  })
})

it('one mailbox gets ten messages a day at most, whoever writes', async () => {
  const bea = await beacon('Bea')
  await settle()
  for (let number = 0; number < 11; number += 1) await write([bea.id], { text: `Number ${number}` })
  expect(await post.after(minuteMs)).toHaveLength(10)
})

it('the log says what became of each mail, newest message first, and whose devices are alerted', async () => {
  const [bea, bo] = [await beacon('Bea'), await beacon('Bo')]
  await settle()
  const phone = { applicationId: bo.id, endpoint: 'https://push.example/1', p256dh: 'p', auth: 'a' }
  await stage.db('applicant_phones').insert(phone)
  await write([bea.id], { text: 'First' })
  await post.after(minuteMs)
  const { id } = (await write([bo.id], { text: 'Second' })).body
  await takeBack(id)
  const log = (await stage.run('listMessages', { as: stage.olivia, params: { id: eventId } })).body
  expect(log.messages).toMatchObject([
    { text: 'Second', recipients: [{ applicationId: bo.id, mail: 'cancelled' }] },
    {
      text: 'First',
      device: "Olivia's phone",
      cancelledAt: null,
      recipients: [{ applicationId: bea.id, mail: 'sent' }],
    },
  ])
  expect(log.devices).toEqual([{ applicationId: bo.id, count: 1 }])
})
